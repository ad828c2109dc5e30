// test: verify
// Element types and shapes of a matrix product.

cuda_tile.module @m {
  entry @k() {
    %f16_2x4 = constant <f16: 1.0> : tile<2x4xf16>
    %f16_4x8 = constant <f16: 1.0> : tile<4x8xf16>
    %f16_2x8 = constant <f16: 1.0> : tile<2x8xf16>
    %bf16_2x8 = constant <bf16: 1.0> : tile<2x8xbf16>
    %f32_2x8 = constant <f32: 1.0> : tile<2x8xf32>
    %f64_2x8 = constant <f64: 1.0> : tile<2x8xf64>
    %tf32_2x8 = constant <tf32: 1.0> : tile<2x8xtf32>
    %bf16_2x4 = constant <bf16: 1.0> : tile<2x4xbf16>
    %bf16_4x8 = constant <bf16: 1.0> : tile<4x8xbf16>
    %f32_2x4 = constant <f32: 1.0> : tile<2x4xf32>
    %f32_4x8 = constant <f32: 1.0> : tile<4x8xf32>
    %f64_2x4 = constant <f64: 1.0> : tile<2x4xf64>
    %f64_4x8 = constant <f64: 1.0> : tile<4x8xf64>
    %tf32_2x4 = constant <tf32: 1.0> : tile<2x4xtf32>
    %tf32_4x8 = constant <tf32: 1.0> : tile<4x8xtf32>
    %f8E4M3FN_2x4 = constant <f8E4M3FN: 1.0> : tile<2x4xf8E4M3FN>
    %f8E4M3FN_4x8 = constant <f8E4M3FN: 1.0> : tile<4x8xf8E4M3FN>
    %f8E5M2_2x4 = constant <f8E5M2: 1.0> : tile<2x4xf8E5M2>
    %f8E5M2_4x8 = constant <f8E5M2: 1.0> : tile<4x8xf8E5M2>
    %f8E8M0FNU_2x4 = constant <f8E8M0FNU: 1.0> : tile<2x4xf8E8M0FNU>
    %f8E8M0FNU_4x8 = constant <f8E8M0FNU: 1.0> : tile<4x8xf8E8M0FNU>
    %f4E2M1FN_2x4 = constant <f4E2M1FN: 1.0> : tile<2x4xf4E2M1FN>
    %f4E2M1FN_4x8 = constant <f4E2M1FN: 1.0> : tile<4x8xf4E2M1FN>
    %i8_2x4 = constant <i8: 1> : tile<2x4xi8>
    %i8_4x8 = constant <i8: 1> : tile<4x8xi8>
    %i4_2x4 = trunci %i8_2x4 : tile<2x4xi8> -> tile<2x4xi4>
    %i4_4x8 = trunci %i8_4x8 : tile<4x8xi8> -> tile<4x8xi4>
    %i64_2x4 = constant <i64: 1> : tile<2x4xi64>
    %p_f32_2x4 = int_to_ptr %i64_2x4 : tile<2x4xi64> -> tile<2x4xptr<f32>>
    %i64_4x8 = constant <i64: 1> : tile<4x8xi64>
    %p_f32_4x8 = int_to_ptr %i64_4x8 : tile<4x8xi64> -> tile<4x8xptr<f32>>
    %f16_16x2x4 = constant <f16: 1.0> : tile<16x2x4xf16>
    %f16_16x4x8 = constant <f16: 1.0> : tile<16x4x8xf16>
    %f32_16x2x8 = constant <f32: 1.0> : tile<16x2x8xf32>
    %f16_1x1 = constant <f16: 1.0> : tile<1x1xf16>
    %f32_1x1 = constant <f32: 1.0> : tile<1x1xf32>
    %f16_8x8 = constant <f16: 1.0> : tile<8x8xf16>
    %f32_8x2 = constant <f32: 1.0> : tile<8x2xf32>
    %f16_8x4x8 = constant <f16: 1.0> : tile<8x4x8xf16>
    %f32_8x2x8 = constant <f32: 1.0> : tile<8x2x8xf32>
    %f16_16x8x8 = constant <f16: 1.0> : tile<16x8x8xf16>
    %f32_16x4x8 = constant <f32: 1.0> : tile<16x4x8xf32>
    %f32_16x2x4 = constant <f32: 1.0> : tile<16x2x4xf32>
    %f16_4 = constant <f16: 1.0> : tile<4xf16>
    %f32_4 = constant <f32: 1.0> : tile<4xf32>
    %f16_s = constant <f16: 1.0> : tile<f16>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %f16_2x2x2x2 = constant <f16: 1.0> : tile<2x2x2x2xf16>
    %f32_2x2x2x2 = constant <f32: 1.0> : tile<2x2x2x2xf32>
    %r0 = mmaf %f16_2x4, %f16_4x8, %f16_2x8 : tile<2x4xf16>, tile<4x8xf16>, tile<2x8xf16>
    %r1 = mmaf %f16_2x4, %f16_4x8, %bf16_2x8 : tile<2x4xf16>, tile<4x8xf16>, tile<2x8xbf16> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
    %r2 = mmaf %f16_2x4, %f16_4x8, %f32_2x8 : tile<2x4xf16>, tile<4x8xf16>, tile<2x8xf32>
    %r3 = mmaf %f16_2x4, %f16_4x8, %f64_2x8 : tile<2x4xf16>, tile<4x8xf16>, tile<2x8xf64> // error[T0301]: expected `acc` of f16 or f32, found `f64`
    %r4 = mmaf %f16_2x4, %f16_4x8, %tf32_2x8 : tile<2x4xf16>, tile<4x8xf16>, tile<2x8xtf32> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
    %r5 = mmaf %bf16_2x4, %bf16_4x8, %f16_2x8 : tile<2x4xbf16>, tile<4x8xbf16>, tile<2x8xf16> // error[T0301]: expected `acc` of f32, found `f16`
    %r6 = mmaf %bf16_2x4, %bf16_4x8, %bf16_2x8 : tile<2x4xbf16>, tile<4x8xbf16>, tile<2x8xbf16> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
    %r7 = mmaf %bf16_2x4, %bf16_4x8, %f32_2x8 : tile<2x4xbf16>, tile<4x8xbf16>, tile<2x8xf32>
    %r8 = mmaf %bf16_2x4, %bf16_4x8, %f64_2x8 : tile<2x4xbf16>, tile<4x8xbf16>, tile<2x8xf64> // error[T0301]: expected `acc` of f32, found `f64`
    %r9 = mmaf %bf16_2x4, %bf16_4x8, %tf32_2x8 : tile<2x4xbf16>, tile<4x8xbf16>, tile<2x8xtf32> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
    %r10 = mmaf %f32_2x4, %f32_4x8, %f16_2x8 : tile<2x4xf32>, tile<4x8xf32>, tile<2x8xf16> // error[T0301]: expected `acc` of f32, found `f16`
    %r11 = mmaf %f32_2x4, %f32_4x8, %bf16_2x8 : tile<2x4xf32>, tile<4x8xf32>, tile<2x8xbf16> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
    %r12 = mmaf %f32_2x4, %f32_4x8, %f32_2x8 : tile<2x4xf32>, tile<4x8xf32>, tile<2x8xf32>
    %r13 = mmaf %f32_2x4, %f32_4x8, %f64_2x8 : tile<2x4xf32>, tile<4x8xf32>, tile<2x8xf64> // error[T0301]: expected `acc` of f32, found `f64`
    %r14 = mmaf %f32_2x4, %f32_4x8, %tf32_2x8 : tile<2x4xf32>, tile<4x8xf32>, tile<2x8xtf32> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
    %r15 = mmaf %f64_2x4, %f64_4x8, %f16_2x8 : tile<2x4xf64>, tile<4x8xf64>, tile<2x8xf16> // error[T0301]: expected `acc` of f64, found `f16`
    %r16 = mmaf %f64_2x4, %f64_4x8, %bf16_2x8 : tile<2x4xf64>, tile<4x8xf64>, tile<2x8xbf16> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
    %r17 = mmaf %f64_2x4, %f64_4x8, %f32_2x8 : tile<2x4xf64>, tile<4x8xf64>, tile<2x8xf32> // error[T0301]: expected `acc` of f64, found `f32`
    %r18 = mmaf %f64_2x4, %f64_4x8, %f64_2x8 : tile<2x4xf64>, tile<4x8xf64>, tile<2x8xf64>
    %r19 = mmaf %f64_2x4, %f64_4x8, %tf32_2x8 : tile<2x4xf64>, tile<4x8xf64>, tile<2x8xtf32> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
    %r20 = mmaf %tf32_2x4, %tf32_4x8, %f16_2x8 : tile<2x4xtf32>, tile<4x8xtf32>, tile<2x8xf16> // error[T0301]: expected `acc` of f32, found `f16`
    %r21 = mmaf %tf32_2x4, %tf32_4x8, %bf16_2x8 : tile<2x4xtf32>, tile<4x8xtf32>, tile<2x8xbf16> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
    %r22 = mmaf %tf32_2x4, %tf32_4x8, %f32_2x8 : tile<2x4xtf32>, tile<4x8xtf32>, tile<2x8xf32>
    %r23 = mmaf %tf32_2x4, %tf32_4x8, %f64_2x8 : tile<2x4xtf32>, tile<4x8xtf32>, tile<2x8xf64> // error[T0301]: expected `acc` of f32, found `f64`
    %r24 = mmaf %tf32_2x4, %tf32_4x8, %tf32_2x8 : tile<2x4xtf32>, tile<4x8xtf32>, tile<2x8xtf32> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
    %r25 = mmaf %f8E4M3FN_2x4, %f8E4M3FN_4x8, %f16_2x8 : tile<2x4xf8E4M3FN>, tile<4x8xf8E4M3FN>, tile<2x8xf16>
    %r26 = mmaf %f8E4M3FN_2x4, %f8E4M3FN_4x8, %bf16_2x8 : tile<2x4xf8E4M3FN>, tile<4x8xf8E4M3FN>, tile<2x8xbf16> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
    %r27 = mmaf %f8E4M3FN_2x4, %f8E4M3FN_4x8, %f32_2x8 : tile<2x4xf8E4M3FN>, tile<4x8xf8E4M3FN>, tile<2x8xf32>
    %r28 = mmaf %f8E4M3FN_2x4, %f8E4M3FN_4x8, %f64_2x8 : tile<2x4xf8E4M3FN>, tile<4x8xf8E4M3FN>, tile<2x8xf64> // error[T0301]: expected `acc` of f16 or f32, found `f64`
    %r29 = mmaf %f8E4M3FN_2x4, %f8E4M3FN_4x8, %tf32_2x8 : tile<2x4xf8E4M3FN>, tile<4x8xf8E4M3FN>, tile<2x8xtf32> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
    %r30 = mmaf %f8E5M2_2x4, %f8E5M2_4x8, %f16_2x8 : tile<2x4xf8E5M2>, tile<4x8xf8E5M2>, tile<2x8xf16>
    %r31 = mmaf %f8E5M2_2x4, %f8E5M2_4x8, %bf16_2x8 : tile<2x4xf8E5M2>, tile<4x8xf8E5M2>, tile<2x8xbf16> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xbf16>`
    %r32 = mmaf %f8E5M2_2x4, %f8E5M2_4x8, %f32_2x8 : tile<2x4xf8E5M2>, tile<4x8xf8E5M2>, tile<2x8xf32>
    %r33 = mmaf %f8E5M2_2x4, %f8E5M2_4x8, %f64_2x8 : tile<2x4xf8E5M2>, tile<4x8xf8E5M2>, tile<2x8xf64> // error[T0301]: expected `acc` of f16 or f32, found `f64`
    %r34 = mmaf %f8E5M2_2x4, %f8E5M2_4x8, %tf32_2x8 : tile<2x4xf8E5M2>, tile<4x8xf8E5M2>, tile<2x8xtf32> // error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<2x8xtf32>`
    %r35 = mmaf %f8E8M0FNU_2x4, %f8E8M0FNU_4x8, %f32_2x8 : tile<2x4xf8E8M0FNU>, tile<4x8xf8E8M0FNU>, tile<2x8xf32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<2x4xf8E8M0FNU>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<4x8xf8E8M0FNU>`
    %r36 = mmaf %f4E2M1FN_2x4, %f4E2M1FN_4x8, %f32_2x8 : tile<2x4xf4E2M1FN>, tile<4x8xf4E2M1FN>, tile<2x8xf32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<2x4xf4E2M1FN>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<4x8xf4E2M1FN>`
    %r37 = mmaf %i8_2x4, %i8_4x8, %f32_2x8 : tile<2x4xi8>, tile<4x8xi8>, tile<2x8xf32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<2x4xi8>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<4x8xi8>`
    %r38 = mmaf %i4_2x4, %i4_4x8, %f32_2x8 : tile<2x4xi4>, tile<4x8xi4>, tile<2x8xf32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<2x4xi4>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<4x8xi4>`
    %r39 = mmaf %p_f32_2x4, %p_f32_4x8, %f32_2x8 : tile<2x4xptr<f32>>, tile<4x8xptr<f32>>, tile<2x8xf32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<2x4xptr<f32>>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<4x8xptr<f32>>`
    %r40 = mmaf %f16_2x4, %f16_4x8, %f32_2x8 : tile<2x4xf16>, tile<4x8xf16>, tile<2x8xf32>
    %r41 = mmaf %f16_16x2x4, %f16_16x4x8, %f32_16x2x8 : tile<16x2x4xf16>, tile<16x4x8xf16>, tile<16x2x8xf32>
    %r42 = mmaf %f16_1x1, %f16_1x1, %f32_1x1 : tile<1x1xf16>, tile<1x1xf16>, tile<1x1xf32>
    %r43 = mmaf %f16_2x4, %f16_8x8, %f32_2x8 : tile<2x4xf16>, tile<8x8xf16>, tile<2x8xf32> // error[T0301]: expected `rhs` with row extent 4, found 8
    %r44 = mmaf %f16_2x4, %f16_4x8, %f32_4x8 : tile<2x4xf16>, tile<4x8xf16>, tile<4x8xf32> // error[T0301]: expected `acc` with row extent 2, found 4
    %r45 = mmaf %f16_2x4, %f16_4x8, %f32_2x4 : tile<2x4xf16>, tile<4x8xf16>, tile<2x4xf32> // error[T0301]: expected `acc` with column extent 8, found 4
    %r46 = mmaf %f16_2x4, %f16_4x8, %f32_8x2 : tile<2x4xf16>, tile<4x8xf16>, tile<8x2xf32> // error[T0301]: expected `acc` with row extent 2, found 8
// error[T0301]: expected `acc` with column extent 8, found 2
    %r47 = mmaf %f16_16x2x4, %f16_8x4x8, %f32_16x2x8 : tile<16x2x4xf16>, tile<8x4x8xf16>, tile<16x2x8xf32> // error[T0301]: expected `rhs` with batch extent 16, found 8
    %r48 = mmaf %f16_16x2x4, %f16_16x4x8, %f32_8x2x8 : tile<16x2x4xf16>, tile<16x4x8xf16>, tile<8x2x8xf32> // error[T0301]: expected `acc` with batch extent 16, found 8
    %r49 = mmaf %f16_16x2x4, %f16_16x8x8, %f32_16x2x8 : tile<16x2x4xf16>, tile<16x8x8xf16>, tile<16x2x8xf32> // error[T0301]: expected `rhs` with row extent 4, found 8
    %r50 = mmaf %f16_16x2x4, %f16_16x4x8, %f32_16x4x8 : tile<16x2x4xf16>, tile<16x4x8xf16>, tile<16x4x8xf32> // error[T0301]: expected `acc` with row extent 2, found 4
    %r51 = mmaf %f16_16x2x4, %f16_16x4x8, %f32_16x2x4 : tile<16x2x4xf16>, tile<16x4x8xf16>, tile<16x2x4xf32> // error[T0301]: expected `acc` with column extent 8, found 4
    %r52 = mmaf %f16_2x4, %f16_16x4x8, %f32_2x8 : tile<2x4xf16>, tile<16x4x8xf16>, tile<2x8xf32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 2, 3 and 2
    %r53 = mmaf %f16_16x2x4, %f16_4x8, %f32_2x8 : tile<16x2x4xf16>, tile<4x8xf16>, tile<2x8xf32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 3, 2 and 2
    %r54 = mmaf %f16_2x4, %f16_4x8, %f32_16x2x8 : tile<2x4xf16>, tile<4x8xf16>, tile<16x2x8xf32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 2, 2 and 3
    %r55 = mmaf %f16_4, %f16_4, %f32_4 : tile<4xf16>, tile<4xf16>, tile<4xf32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 1, 1 and 1
    %r56 = mmaf %f16_s, %f16_s, %f32_s : tile<f16>, tile<f16>, tile<f32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 0, 0 and 0
    %r57 = mmaf %f16_2x2x2x2, %f16_2x2x2x2, %f32_2x2x2x2 : tile<2x2x2x2xf16>, tile<2x2x2x2xf16>, tile<2x2x2x2xf32> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 4, 4 and 4
    %r58 = mmaf %f8E5M2_2x4, %f8E5M2_4x8, %f32_2x8 fast_acc : tile<2x4xf8E5M2>, tile<4x8xf8E5M2>, tile<2x8xf32>
    %r59 = mmaf %f16_2x4, %bf16_4x8, %f32_2x8 : tile<2x4xf16>, tile<4x8xbf16>, tile<2x8xf32> // error[T0301]: expected `rhs` of element type `f16`, found `bf16`
    %r60 = mmaf %f8E5M2_2x4, %f8E4M3FN_4x8, %f32_2x8 : tile<2x4xf8E5M2>, tile<4x8xf8E4M3FN>, tile<2x8xf32> // error[T0301]: expected `rhs` of element type `f8E5M2`, found `f8E4M3FN`
    return
  }
}
