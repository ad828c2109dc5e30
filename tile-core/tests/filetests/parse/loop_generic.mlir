// test: parse --print-generic
// The dialect `loop` in generic form: names with the prefix of their dialect.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>) {
    %r = loop.parallel unsigned (%x, %y) = (%i, %i) to (%i, %i) step (%i, %i) init (%f) -> (tile<f32>) : tile<i32> {
      loop.reduce(%f) {
      ^bb0(%lhs: tile<f32>, %rhs: tile<f32>):
        loop.reduce.return %lhs : tile<f32>
      } : tile<f32>
    }
    %v = loop.for %x = %i to %i step %i iter_args(%a = %r) -> (tile<f32>) : tile<i32> {
      %b = loop.if %c -> (tile<f32>) {
        loop.yield %a : tile<f32>
      } else {
        loop.yield %f : tile<f32>
      }
      loop.yield %b : tile<f32>
    }
    loop.if %c {
    }
    return
  }
}
// output:
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> (), sym_name = "k"}> ({
  ^bb0(%c: !cuda_tile.tile<i1>, %i: !cuda_tile.tile<i32>, %f: !cuda_tile.tile<f32>):
    %r = "loop.parallel"(%i, %i, %i, %i, %i, %i, %f) <{operandSegmentSizes = array<i32: 2, 2, 2, 1>, unsignedCmp}> ({
    ^bb0(%x: !cuda_tile.tile<i32>, %y: !cuda_tile.tile<i32>):
      "loop.reduce"(%f) ({
      ^bb0(%lhs: !cuda_tile.tile<f32>, %rhs: !cuda_tile.tile<f32>):
        "loop.reduce.return"(%lhs) : (!cuda_tile.tile<f32>) -> ()
      }) : (!cuda_tile.tile<f32>) -> ()
      "loop.yield"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    %v = "loop.for"(%i, %i, %i, %r) ({
    ^bb0(%x: !cuda_tile.tile<i32>, %a: !cuda_tile.tile<f32>):
      %b = "loop.if"(%c) ({
        "loop.yield"(%a) : (!cuda_tile.tile<f32>) -> ()
      }, {
        "loop.yield"(%f) : (!cuda_tile.tile<f32>) -> ()
      }) : (!cuda_tile.tile<i1>) -> !cuda_tile.tile<f32>
      "loop.yield"(%b) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    "loop.if"(%c) ({
      "loop.yield"() : () -> ()
    }, {
    }) : (!cuda_tile.tile<i1>) -> ()
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
