// test: parse
// `loop.parallel`: from one to four dimensions, initial values, results.

cuda_tile.module @m {
  entry @k(%i: tile<i32>, %l: tile<i64>, %f: tile<f32>) {
    loop.parallel (%x) = (%i) to (%i) step (%i) {
    }
    loop.parallel unsigned (%x, %y) = (%l, %l) to (%l, %l) step (%l, %l) : tile<i64> {
      loop.parallel (%z, %w, %u, %v) = (%i, %i, %i, %i) to (%i, %i, %i, %i) step (%i, %i, %i, %i) : tile<i32> {
      }
    }
    %r = loop.parallel (%x) = (%i) to (%i) step (%i) init (%f) -> tile<f32> {
      loop.reduce(%f) {
      ^bb0(%lhs: tile<f32>, %rhs: tile<f32>):
        %sum = addf %lhs, %rhs : tile<f32>
        loop.reduce.return %sum : tile<f32>
      } : tile<f32>
      loop.yield
    }
    %p, %q = loop.parallel (%x) = (%i) to (%i) step (%i) -> (tile<f32>, tile<i32>) : tile<i32> {
      loop.reduce(%f) {
      ^bb0(%lhs: tile<f32>, %rhs: tile<f32>):
        %sum = addf %lhs, %rhs : tile<f32>
        loop.reduce.return %sum : tile<f32>
      } : tile<f32>
      loop.reduce(%x) {
      ^bb0(%lhs: tile<i32>, %rhs: tile<i32>):
        %max = maxi %lhs, %rhs signed : tile<i32>
        loop.reduce.return %max : tile<i32>
      } : tile<i32>
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%i: tile<i32>, %l: tile<i64>, %f: tile<f32>) {
    loop.parallel (%x) = (%i) to (%i) step (%i) : tile<i32> {
    }
    loop.parallel unsigned (%x, %y) = (%l, %l) to (%l, %l) step (%l, %l) : tile<i64> {
      loop.parallel (%z, %w, %u, %v) = (%i, %i, %i, %i) to (%i, %i, %i, %i) step (%i, %i, %i, %i) : tile<i32> {
      }
    }
    %r = loop.parallel (%x) = (%i) to (%i) step (%i) init (%f) -> (tile<f32>) : tile<i32> {
      loop.reduce(%f) {
      ^bb0(%lhs: tile<f32>, %rhs: tile<f32>):
        %sum = addf %lhs, %rhs : tile<f32>
        loop.reduce.return %sum : tile<f32>
      } : tile<f32>
    }
    %p, %q = loop.parallel (%x) = (%i) to (%i) step (%i) -> (tile<f32>, tile<i32>) : tile<i32> {
      loop.reduce(%f) {
      ^bb0(%lhs: tile<f32>, %rhs: tile<f32>):
        %sum = addf %lhs, %rhs : tile<f32>
        loop.reduce.return %sum : tile<f32>
      } : tile<f32>
      loop.reduce(%x) {
      ^bb0(%lhs: tile<i32>, %rhs: tile<i32>):
        %max = maxi %lhs, %rhs signed : tile<i32>
        loop.reduce.return %max : tile<i32>
      } : tile<i32>
    }
    return
  }
}
