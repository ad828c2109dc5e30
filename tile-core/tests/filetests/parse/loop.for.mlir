// test: parse
// `loop.for`: signed and unsigned, every type of bound, carried values; a `loop.yield`
// without operands is not written. Without a type the bounds say it.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>, %f: tile<f32>) {
    loop.for %x0 = %t to %t step %t : tile<i1> {
    }
    loop.for %x1 = %c to %c step %c {
      loop.yield
    }
    loop.for unsigned %x2 = %s to %s step %s : tile<i16> {
    }
    %r = loop.for %x3 = %i to %i step %i iter_args(%a = %l) -> (tile<i64>) : tile<i32> {
      loop.yield %a : tile<i64>
    }
    %u, %w = loop.for unsigned %x4 = %l to %l step %l iter_args(%a = %l, %b = %f) -> (tile<i64>, tile<f32>) : tile<i64> {
      loop.yield %x4, %b : tile<i64>, tile<f32>
    }
    %v = loop.for %x5 = %i to %i step %i iter_args(%a = %f) -> tile<f32> {
      loop.yield %a : tile<f32>
    } {note = 1 : i32}
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>, %f: tile<f32>) {
    loop.for %x0 = %t to %t step %t : tile<i1> {
    }
    loop.for %x1 = %c to %c step %c : tile<i8> {
    }
    loop.for unsigned %x2 = %s to %s step %s : tile<i16> {
    }
    %r = loop.for %x3 = %i to %i step %i iter_args(%a = %l) -> (tile<i64>) : tile<i32> {
      loop.yield %a : tile<i64>
    }
    %u, %w = loop.for unsigned %x4 = %l to %l step %l iter_args(%a = %l, %b = %f) -> (tile<i64>, tile<f32>) : tile<i64> {
      loop.yield %x4, %b : tile<i64>, tile<f32>
    }
    %v = loop.for %x5 = %i to %i step %i iter_args(%a = %f) -> (tile<f32>) : tile<i32> {
      loop.yield %a : tile<f32>
    } {note = 1 : i32}
    return
  }
}
