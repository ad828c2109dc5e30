// test: verify
// Conversions and comparisons keep the shape.

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
    %r0 = itof %i signed : tile<4xi32> -> tile<8xf32> // error[T0303]: expected `to` of shape `(4)`, found `(8)`
    %r1 = cmpi equal %i, %i, signed : tile<4xi32> -> tile<8xi1> // error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r2 = select %c, %i, %i : tile<i1>, tile<4xi32> // error[T0303]: expected `result` of shape `()`, found `(4)`
    %r3 = bitcast %i : tile<4xi32> -> tile<f32> // error[T0303]: expected `result` of shape `(4)`, found `()`
    return
  }
}
