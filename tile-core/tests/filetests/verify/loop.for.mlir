// test: verify
// `loop.for`: bounds of one type, a step that is positive if it is known, carried values.

cuda_tile.module @m {
  entry @k(%i: tile<i32>, %l: tile<i64>, %f: tile<f32>, %v: tensor_view<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    %down = constant <i32: -1> : tile<i32>
    %tile = constant <i32: 1> : tile<2xi32>
    %r = loop.for %x = %i to %i step %i iter_args(%a = %f) -> (tile<f32>) {
      loop.yield %a : tile<f32>
    }
    loop.for unsigned %x = %i to %i step %down {
    }
    %w = loop.for %x = %i to %i step %i iter_args(%a = %v) -> (tensor_view<f32>) {
      loop.yield %a : tensor_view<f32>
    }
    loop.for %x = %i to %l step %i { // error[T0301]: expected `upperBound` of type `tile<i32>`, found `tile<i64>`
    }
    loop.for %x = %f to %f step %f { // error[T0301]: expected `lowerBound` to be a rank-0 tile of integers, found `tile<f32>`
// error[T0301]: expected `upperBound` to be a rank-0 tile of integers, found `tile<f32>`
// error[T0301]: expected `step` to be a rank-0 tile of integers, found `tile<f32>`
    }
    loop.for %x = %i to %i step %tile { // error[T0301]: expected `step` to be a rank-0 tile of integers, found `tile<2xi32>`
    }
    loop.for %x = %i to %i step %zero { // error[T0301]: expected a positive step, found 0
    }
    loop.for unsigned %x = %i to %i step %zero { // error[T0301]: expected a positive step, found 0
    }
    loop.for %x = %i to %i step %down { // error[T0301]: expected a positive step, found -1
    }
    %r0 = loop.for %x = %i to %i step %i iter_args(%a = %f) -> (tile<i32>) { // error[T0303]: expected results (tile<f32>), found (tile<i32>)
      loop.yield %x : tile<i32>
    }
    %r1 = loop.for %x = %i to %i step %i iter_args(%a = %f) -> (tile<f32>) {
      loop.yield %x : tile<i32> // error[T0301]: expected operands (tile<f32>), found (tile<i32>)
    }
    %r2 = loop.for %x = %i to %i step %i iter_args(%a = %f) -> (tile<f32>) {
    } // error[T0301]: expected operands (tile<f32>), found ()
    loop.for %x = %i to %i step %i {
      loop.yield %x : tile<i32> // error[T0301]: expected operands (), found (tile<i32>)
    }
    "loop.for"(%i, %i, %i) ({ // error[T0304]: expected body arguments (tile<i32>), found (tile<i64>)
    ^bb0(%x: tile<i64>):
      "loop.yield"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    "loop.for"(%i, %i, %i) ({
    ^bb0(%x: tile<i32>):
      %y = addi %x, %x : tile<i32> // error[T0304]: a block of `loop.for` does not end in a terminator
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }
}
