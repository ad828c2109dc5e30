// test: verify
// `loop.parallel`: a range per dimension, a result per `loop.reduce`, initial values for
// all results or none.

cuda_tile.module @m {
  entry @k(%i: tile<i32>, %l: tile<i64>, %f: tile<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    loop.parallel (%x, %y) = (%i, %i) to (%i, %i) step (%i, %i) {
    }
    %r = loop.parallel (%x) = (%i) to (%i) step (%i) init (%f) -> (tile<f32>) {
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
    }
    loop.parallel (%x, %y) = (%i, %i) to (%i, %l) step (%i, %i) { // error[T0301]: expected `upperBounds` of type `tile<i32>`, found `tile<i64>`
    }
    loop.parallel (%x) = (%f) to (%f) step (%f) { // error[T0301]: expected `lowerBounds` to be a rank-0 tile of integers, found `tile<f32>`
// error[T0301]: expected `upperBounds` to be a rank-0 tile of integers, found `tile<f32>`
// error[T0301]: expected `steps` to be a rank-0 tile of integers, found `tile<f32>`
    }
    loop.parallel (%x, %y) = (%i, %i) to (%i, %i) step (%i, %zero) { // error[T0301]: expected a positive step, found 0
    }
    %r0 = loop.parallel (%x) = (%i) to (%i) step (%i) -> (tile<f32>) { // error[T0303]: expected 0 results, one per `loop.reduce` in the body, found 1
    }
    loop.parallel (%x) = (%i) to (%i) step (%i) { // error[T0303]: expected 1 results, one per `loop.reduce` in the body, found 0
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
    }
    %r1 = loop.parallel (%x) = (%i) to (%i) step (%i) init (%i) -> (tile<f32>) { // error[T0303]: expected results (tile<i32>), found (tile<f32>)
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
    }
    %r2, %r3 = loop.parallel (%x) = (%i) to (%i) step (%i) init (%f) -> (tile<f32>, tile<f32>) { // error[T0303]: expected results (tile<f32>), found (tile<f32>, tile<f32>)
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
    }
    %r4, %r5 = loop.parallel (%x) = (%i) to (%i) step (%i) -> (tile<f32>, tile<i32>) {
      loop.reduce(%i) { // error[T0301]: expected an operand of type `tile<f32>`, found `tile<i32>`
      ^bb0(%a: tile<i32>, %b: tile<i32>):
        loop.reduce.return %a : tile<i32>
      } : tile<i32>
      loop.reduce(%f) { // error[T0301]: expected an operand of type `tile<i32>`, found `tile<f32>`
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
    }
    loop.parallel (%x) = (%i) to (%i) step (%i) {
      loop.yield %x : tile<i32> // error[T0301]: expected operands (), found (tile<i32>)
    }
    "loop.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({ // error[T0301]: expected equal numbers of lower bounds, upper bounds and steps, at least one of each, found 0, 0 and 0
      "loop.yield"() : () -> ()
    }) : () -> ()
    "loop.parallel"(%i, %i, %i, %i) <{operandSegmentSizes = array<i32: 2, 1, 1, 0>}> ({ // error[T0301]: expected equal numbers of lower bounds, upper bounds and steps, at least one of each, found 2, 1 and 1
    ^bb0(%x: tile<i32>):
      "loop.yield"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    "loop.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({ // error[T0304]: expected body arguments (tile<i32>), found ()
      "loop.yield"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }
}
