// test: verify
// Shapes and element types of matrix products.

cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<16x8xf16>
    %b = constant <f16: 1.0> : tile<8x4xf16>
    %c = constant <f32: 1.0> : tile<16x4xf32>
    %d = constant <f64: 1.0> : tile<16x4xf64>
    %e = constant <f16: 1.0> : tile<2x16x8xf16>
    %f = constant <f16: 1.0> : tile<4x8x4xf16>
    %g = constant <f32: 1.0> : tile<2x16x4xf32>
    %h = constant <f32: 1.0> : tile<8x16xf32>
    %s = constant <f16: 1.0> : tile<8xf16>
    %i = constant <i8: 1> : tile<16x8xi8>
    %j = constant <i32: 1> : tile<16x8xi32>
    %x = constant <bf16: 1.0> : tile<16x16xbf16>
    %y = constant <f16: 1.0> : tile<16x16xf16>
    %r0 = mmaf %a, %b, %c : tile<16x8xf16>, tile<8x4xf16>, tile<16x4xf32>
    %r1 = mmaf %a, %a, %c : tile<16x8xf16>, tile<16x8xf16>, tile<16x4xf32> // error[T0301]: expected `rhs` with row extent 8, found 16
// error[T0301]: expected `acc` with column extent 8, found 4
    %r2 = mmaf %a, %b, %h : tile<16x8xf16>, tile<8x4xf16>, tile<8x16xf32> // error[T0301]: expected `acc` with row extent 16, found 8
// error[T0301]: expected `acc` with column extent 4, found 16
    %r3 = mmaf %e, %f, %g : tile<2x16x8xf16>, tile<4x8x4xf16>, tile<2x16x4xf32> // error[T0301]: expected `rhs` with batch extent 2, found 4
    %r4 = mmaf %f, %f, %g : tile<4x8x4xf16>, tile<4x8x4xf16>, tile<2x16x4xf32> // error[T0301]: expected `acc` with batch extent 4, found 2
// error[T0301]: expected `rhs` with row extent 4, found 8
// error[T0301]: expected `acc` with row extent 8, found 16
    %r5 = mmaf %a, %f, %c : tile<16x8xf16>, tile<4x8x4xf16>, tile<16x4xf32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 2, 3 and 2
    %r6 = mmaf %s, %s, %c : tile<8xf16>, tile<8xf16>, tile<16x4xf32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 1, 1 and 2
    %r7 = mmaf %a, %b, %d : tile<16x8xf16>, tile<8x4xf16>, tile<16x4xf64> // error[T0301]: expected `acc` of `f16` or `f32`, found `f64`
    %r8 = mmaf %x, %x, %y : tile<16x16xbf16>, tile<16x16xbf16>, tile<16x16xf16> // error[T0301]: expected `acc` of `f32`, found `f16`
    %r9 = mmai %i, %i, %j signed signed : tile<16x8xi8>, tile<16x8xi8>, tile<16x8xi32> // error[T0301]: expected `rhs` with row extent 8, found 16
    %ra = mmaf %y, %y, %y : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf16>
    return
  }
}
