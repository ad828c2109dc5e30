// test: verify
// Element types and shapes of a matrix product.

cuda_tile.module @m {
  entry @k() {
    %i8_2x4 = constant <i8: 1> : tile<2x4xi8>
    %i8_4x8 = constant <i8: 1> : tile<4x8xi8>
    %i32_2x8 = constant <i32: 1> : tile<2x8xi32>
    %i8_16x2x4 = constant <i8: 1> : tile<16x2x4xi8>
    %i8_16x4x8 = constant <i8: 1> : tile<16x4x8xi8>
    %i32_16x2x8 = constant <i32: 1> : tile<16x2x8xi32>
    %i8_1x1 = constant <i8: 1> : tile<1x1xi8>
    %i32_1x1 = constant <i32: 1> : tile<1x1xi32>
    %i8_8x8 = constant <i8: 1> : tile<8x8xi8>
    %i32_4x8 = constant <i32: 1> : tile<4x8xi32>
    %i32_2x4 = constant <i32: 1> : tile<2x4xi32>
    %i32_8x2 = constant <i32: 1> : tile<8x2xi32>
    %i8_8x4x8 = constant <i8: 1> : tile<8x4x8xi8>
    %i32_8x2x8 = constant <i32: 1> : tile<8x2x8xi32>
    %i8_16x8x8 = constant <i8: 1> : tile<16x8x8xi8>
    %i32_16x4x8 = constant <i32: 1> : tile<16x4x8xi32>
    %i32_16x2x4 = constant <i32: 1> : tile<16x2x4xi32>
    %i8_4 = constant <i8: 1> : tile<4xi8>
    %i32_4 = constant <i32: 1> : tile<4xi32>
    %i8_s = constant <i8: 1> : tile<i8>
    %i32_s = constant <i32: 1> : tile<i32>
    %i8_2x2x2x2 = constant <i8: 1> : tile<2x2x2x2xi8>
    %i32_2x2x2x2 = constant <i32: 1> : tile<2x2x2x2xi32>
    %i16_2x4 = constant <i16: 1> : tile<2x4xi16>
    %i16_4x8 = constant <i16: 1> : tile<4x8xi16>
    %i64_2x8 = constant <i64: 1> : tile<2x8xi64>
    %f32_2x8 = constant <f32: 1.0> : tile<2x8xf32>
    %r0 = mmai %i8_2x4, %i8_4x8, %i32_2x8 signed unsigned : tile<2x4xi8>, tile<4x8xi8>, tile<2x8xi32>
    %r1 = mmai %i8_16x2x4, %i8_16x4x8, %i32_16x2x8 signed unsigned : tile<16x2x4xi8>, tile<16x4x8xi8>, tile<16x2x8xi32>
    %r2 = mmai %i8_1x1, %i8_1x1, %i32_1x1 signed unsigned : tile<1x1xi8>, tile<1x1xi8>, tile<1x1xi32>
    %r3 = mmai %i8_2x4, %i8_8x8, %i32_2x8 signed unsigned : tile<2x4xi8>, tile<8x8xi8>, tile<2x8xi32> // error[T0301]: expected `rhs` with row extent 4, found 8
    %r4 = mmai %i8_2x4, %i8_4x8, %i32_4x8 signed unsigned : tile<2x4xi8>, tile<4x8xi8>, tile<4x8xi32> // error[T0301]: expected `acc` with row extent 2, found 4
    %r5 = mmai %i8_2x4, %i8_4x8, %i32_2x4 signed unsigned : tile<2x4xi8>, tile<4x8xi8>, tile<2x4xi32> // error[T0301]: expected `acc` with column extent 8, found 4
    %r6 = mmai %i8_2x4, %i8_4x8, %i32_8x2 signed unsigned : tile<2x4xi8>, tile<4x8xi8>, tile<8x2xi32> // error[T0301]: expected `acc` with row extent 2, found 8
// error[T0301]: expected `acc` with column extent 8, found 2
    %r7 = mmai %i8_16x2x4, %i8_8x4x8, %i32_16x2x8 signed unsigned : tile<16x2x4xi8>, tile<8x4x8xi8>, tile<16x2x8xi32> // error[T0301]: expected `rhs` with batch extent 16, found 8
    %r8 = mmai %i8_16x2x4, %i8_16x4x8, %i32_8x2x8 signed unsigned : tile<16x2x4xi8>, tile<16x4x8xi8>, tile<8x2x8xi32> // error[T0301]: expected `acc` with batch extent 16, found 8
    %r9 = mmai %i8_16x2x4, %i8_16x8x8, %i32_16x2x8 signed unsigned : tile<16x2x4xi8>, tile<16x8x8xi8>, tile<16x2x8xi32> // error[T0301]: expected `rhs` with row extent 4, found 8
    %r10 = mmai %i8_16x2x4, %i8_16x4x8, %i32_16x4x8 signed unsigned : tile<16x2x4xi8>, tile<16x4x8xi8>, tile<16x4x8xi32> // error[T0301]: expected `acc` with row extent 2, found 4
    %r11 = mmai %i8_16x2x4, %i8_16x4x8, %i32_16x2x4 signed unsigned : tile<16x2x4xi8>, tile<16x4x8xi8>, tile<16x2x4xi32> // error[T0301]: expected `acc` with column extent 8, found 4
    %r12 = mmai %i8_2x4, %i8_16x4x8, %i32_2x8 signed unsigned : tile<2x4xi8>, tile<16x4x8xi8>, tile<2x8xi32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 2, 3 and 2
    %r13 = mmai %i8_16x2x4, %i8_4x8, %i32_2x8 signed unsigned : tile<16x2x4xi8>, tile<4x8xi8>, tile<2x8xi32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 3, 2 and 2
    %r14 = mmai %i8_2x4, %i8_4x8, %i32_16x2x8 signed unsigned : tile<2x4xi8>, tile<4x8xi8>, tile<16x2x8xi32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 2, 2 and 3
    %r15 = mmai %i8_4, %i8_4, %i32_4 signed unsigned : tile<4xi8>, tile<4xi8>, tile<4xi32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 1, 1 and 1
    %r16 = mmai %i8_s, %i8_s, %i32_s signed unsigned : tile<i8>, tile<i8>, tile<i32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 0, 0 and 0
    %r17 = mmai %i8_2x2x2x2, %i8_2x2x2x2, %i32_2x2x2x2 signed unsigned : tile<2x2x2x2xi8>, tile<2x2x2x2xi8>, tile<2x2x2x2xi32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 4, 4 and 4
    %r18 = mmai %i8_2x4, %i8_4x8, %i32_2x8 unsigned signed : tile<2x4xi8>, tile<4x8xi8>, tile<2x8xi32>
    %r19 = mmai %i16_2x4, %i16_4x8, %i32_2x8 signed signed : tile<2x4xi16>, tile<4x8xi16>, tile<2x8xi32> // error[T0301]: expected `lhs` to be a tile of i8, found `tile<2x4xi16>`
// error[T0301]: expected `rhs` to be a tile of i8, found `tile<4x8xi16>`
    %r20 = mmai %i8_2x4, %i16_4x8, %i32_2x8 signed signed : tile<2x4xi8>, tile<4x8xi16>, tile<2x8xi32> // error[T0301]: expected `rhs` to be a tile of i8, found `tile<4x8xi16>`
    %r21 = mmai %i8_2x4, %i8_4x8, %i64_2x8 signed signed : tile<2x4xi8>, tile<4x8xi8>, tile<2x8xi64> // error[T0301]: expected `acc` to be a tile of i32, found `tile<2x8xi64>`
// error[T0303]: expected `result` to be a tile of i32, found `tile<2x8xi64>`
    %r22 = mmai %i8_2x4, %i8_4x8, %f32_2x8 signed signed : tile<2x4xi8>, tile<4x8xi8>, tile<2x8xf32> // error[T0301]: expected `acc` to be a tile of i32, found `tile<2x8xf32>`
// error[T0303]: expected `result` to be a tile of i32, found `tile<2x8xf32>`
    return
  }
}
