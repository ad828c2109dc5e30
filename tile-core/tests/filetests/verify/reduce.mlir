// test: verify
// Operands, axis, identities, results, and a pure body.

cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<2x4xf32>
    %b = constant <i32: 1> : tile<4xi32>
    %r0 = reduce %a dim=2 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected an axis below 2, found 2
      yield %x : tile<f32>
    }
    %r1 = reduce %a dim=1 identities=[0.0 : f32] : tile<2x4xf32> -> tile<4xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0303]: expected results (tile<2xf32>), found (tile<4xf32>)
      yield %x : tile<f32>
    }
    %r2 = reduce %a dim=1 identities=[0 : i32] : tile<2x4xf32> -> tile<2xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected identities of (f32), found (i32)
      yield %x : tile<f32>
    }
    %r3 = reduce %a dim=1 identities=[] : tile<2x4xf32> -> tile<2xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected identities of (f32), found ()
      yield %x : tile<f32>
    }
    %r4 = reduce %a dim=1 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32> (%x: tile<f32>) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>), found (tile<f32>)
      yield %x : tile<f32>
    }
    %r5 = reduce %b dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %d = divi %x, %y signed : tile<i32> // error[T0304]: `divi` in the body of `reduce`
      yield %d, %d : tile<i32>, tile<i32> // error[T0301]: expected to yield (tile<i32>), found (tile<i32>, tile<i32>)
    }
    %r6, %r7 = reduce %a, %b dim=0 identities=[0.0 : f32, 0 : i32] : tile<2x4xf32>, tile<4xi32> -> tile<4xf32>, tile<i32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) { // error[T0301]: expected `operands` of shape `(2, 4)`, found `(4)`
      yield %x, %u : tile<f32>, tile<i32>
    }
    %r8 = reduce %b dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) { // error[T0304]: a block of `reduce` does not end in a terminator
    }
    return
  }
}
