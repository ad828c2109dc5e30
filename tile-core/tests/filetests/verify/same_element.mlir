// test: verify
// Shape changes keep the element type.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %j = constant <i32: 7> : tile<8xi32>
    %l = constant <i64: 7> : tile<4xi64>
    %f = constant <f32: 1.5> : tile<4xf32>
    %g = constant <f64: 1.5> : tile<4xf64>
    %h = constant <f16: 1.5> : tile<4xf16>
    %s = constant <i32: 7> : tile<i32>
    %c = constant <i1: true> : tile<i1>
    %r0 = reshape %i : tile<4xi32> -> tile<2x2xf32> // error[T0303]: expected `result` of element type `i32`, found `f32`
    %r1 = broadcast %i : tile<4xi32> -> tile<4xi64> // error[T0303]: expected `result` of element type `i32`, found `i64`
    %r2 = mmaf %f, %g, %f : tile<4xf32>, tile<4xf64>, tile<4xf32> // error[T0301]: expected `rhs` of element type `f32`, found `f64`
    return
  }
}
