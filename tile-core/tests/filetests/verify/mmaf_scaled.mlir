// test: verify
// Shapes of operands and scales, their element types, and how many elements share a scale.

cuda_tile.module @m {
  entry @k() {
    %f8E4M3FN_16x64 = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %f8E4M3FN_64x8 = constant <f8E4M3FN: 1.0> : tile<64x8xf8E4M3FN>
    %f32_16x8 = constant <f32: 1.0> : tile<16x8xf32>
    %f8E8M0FNU_16x1 = constant <f8E8M0FNU: 1.0> : tile<16x1xf8E8M0FNU>
    %f8E8M0FNU_1x8 = constant <f8E8M0FNU: 1.0> : tile<1x8xf8E8M0FNU>
    %f8E8M0FNU_16x2 = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %f8E8M0FNU_2x8 = constant <f8E8M0FNU: 1.0> : tile<2x8xf8E8M0FNU>
    %f8E8M0FNU_16x4 = constant <f8E8M0FNU: 1.0> : tile<16x4xf8E8M0FNU>
    %f8E8M0FNU_4x8 = constant <f8E8M0FNU: 1.0> : tile<4x8xf8E8M0FNU>
    %f8E8M0FNU_16x8 = constant <f8E8M0FNU: 1.0> : tile<16x8xf8E8M0FNU>
    %f8E8M0FNU_8x8 = constant <f8E8M0FNU: 1.0> : tile<8x8xf8E8M0FNU>
    %f8E8M0FNU_16x64 = constant <f8E8M0FNU: 1.0> : tile<16x64xf8E8M0FNU>
    %f8E8M0FNU_64x8 = constant <f8E8M0FNU: 1.0> : tile<64x8xf8E8M0FNU>
    %f8E8M0FNU_16x128 = constant <f8E8M0FNU: 1.0> : tile<16x128xf8E8M0FNU>
    %f8E8M0FNU_128x8 = constant <f8E8M0FNU: 1.0> : tile<128x8xf8E8M0FNU>
    %f8E4M3FN_16x1 = constant <f8E4M3FN: 1.0> : tile<16x1xf8E4M3FN>
    %f8E4M3FN_1x8 = constant <f8E4M3FN: 1.0> : tile<1x8xf8E4M3FN>
    %f8E4M3FN_16x2 = constant <f8E4M3FN: 1.0> : tile<16x2xf8E4M3FN>
    %f8E4M3FN_2x8 = constant <f8E4M3FN: 1.0> : tile<2x8xf8E4M3FN>
    %f8E4M3FN_16x4 = constant <f8E4M3FN: 1.0> : tile<16x4xf8E4M3FN>
    %f8E4M3FN_4x8 = constant <f8E4M3FN: 1.0> : tile<4x8xf8E4M3FN>
    %f8E4M3FN_16x8 = constant <f8E4M3FN: 1.0> : tile<16x8xf8E4M3FN>
    %f8E4M3FN_8x8 = constant <f8E4M3FN: 1.0> : tile<8x8xf8E4M3FN>
    %f8E4M3FN_16x128 = constant <f8E4M3FN: 1.0> : tile<16x128xf8E4M3FN>
    %f8E4M3FN_128x8 = constant <f8E4M3FN: 1.0> : tile<128x8xf8E4M3FN>
    %f8E5M2_16x64 = constant <f8E5M2: 1.0> : tile<16x64xf8E5M2>
    %f8E5M2_64x8 = constant <f8E5M2: 1.0> : tile<64x8xf8E5M2>
    %f4E2M1FN_16x64 = constant <f4E2M1FN: 1.0> : tile<16x64xf4E2M1FN>
    %f4E2M1FN_64x8 = constant <f4E2M1FN: 1.0> : tile<64x8xf4E2M1FN>
    %f8E4M3FN_2x16x64 = constant <f8E4M3FN: 1.0> : tile<2x16x64xf8E4M3FN>
    %f8E4M3FN_2x64x8 = constant <f8E4M3FN: 1.0> : tile<2x64x8xf8E4M3FN>
    %f32_2x16x8 = constant <f32: 1.0> : tile<2x16x8xf32>
    %f8E8M0FNU_2x16x2 = constant <f8E8M0FNU: 1.0> : tile<2x16x2xf8E8M0FNU>
    %f8E8M0FNU_2x2x8 = constant <f8E8M0FNU: 1.0> : tile<2x2x8xf8E8M0FNU>
    %f8E4M3FN_32x8 = constant <f8E4M3FN: 1.0> : tile<32x8xf8E4M3FN>
    %f32_8x8 = constant <f32: 1.0> : tile<8x8xf32>
    %f32_16x4 = constant <f32: 1.0> : tile<16x4xf32>
    %f8E8M0FNU_8x2 = constant <f8E8M0FNU: 1.0> : tile<8x2xf8E8M0FNU>
    %f8E8M0FNU_2x4 = constant <f8E8M0FNU: 1.0> : tile<2x4xf8E8M0FNU>
    %f8E8M0FNU_4x16x2 = constant <f8E8M0FNU: 1.0> : tile<4x16x2xf8E8M0FNU>
    %f8E8M0FNU_4x2x8 = constant <f8E8M0FNU: 1.0> : tile<4x2x8xf8E8M0FNU>
    %f8E8M0FNU_2x8x2 = constant <f8E8M0FNU: 1.0> : tile<2x8x2xf8E8M0FNU>
    %f8E8M0FNU_2x2x4 = constant <f8E8M0FNU: 1.0> : tile<2x2x4xf8E8M0FNU>
    %f8E8M0FNU_2x4x8 = constant <f8E8M0FNU: 1.0> : tile<2x4x8xf8E8M0FNU>
    %f32_4x16x8 = constant <f32: 1.0> : tile<4x16x8xf32>
    %f8E8M0FNU_1x16x2 = constant <f8E8M0FNU: 1.0> : tile<1x16x2xf8E8M0FNU>
    %f8E8M0FNU_16 = constant <f8E8M0FNU: 1.0> : tile<16xf8E8M0FNU>
    %f8E4M3FN_64 = constant <f8E4M3FN: 1.0> : tile<64xf8E4M3FN>
    %f32_64 = constant <f32: 1.0> : tile<64xf32>
    %f8E8M0FNU_2 = constant <f8E8M0FNU: 1.0> : tile<2xf8E8M0FNU>
    %f16_16x64 = constant <f16: 1.0> : tile<16x64xf16>
    %f16_64x8 = constant <f16: 1.0> : tile<64x8xf16>
    %f16_16x8 = constant <f16: 1.0> : tile<16x8xf16>
    %f8E5M2_16x2 = constant <f8E5M2: 1.0> : tile<16x2xf8E5M2>
    %f8E5M2_2x8 = constant <f8E5M2: 1.0> : tile<2x8xf8E5M2>
    %r0 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x1, %f8E8M0FNU_1x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x1xf8E8M0FNU>, tile<1x8xf8E8M0FNU> // error[T0301]: expected a scale for every 32 elements along k, found 1 scales for 64
    %r1 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
    %r2 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x4, %f8E8M0FNU_4x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x4xf8E8M0FNU>, tile<4x8xf8E8M0FNU> // error[T0301]: expected a scale for every 32 elements along k, found 4 scales for 64
    %r3 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x8, %f8E8M0FNU_8x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x8xf8E8M0FNU>, tile<8x8xf8E8M0FNU> // error[T0301]: expected a scale for every 32 elements along k, found 8 scales for 64
    %r4 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x64, %f8E8M0FNU_64x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x64xf8E8M0FNU>, tile<64x8xf8E8M0FNU> // error[T0301]: expected a scale for every 32 elements along k, found 64 scales for 64
    %r5 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x128, %f8E8M0FNU_128x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x128xf8E8M0FNU>, tile<128x8xf8E8M0FNU> // error[T0301]: expected a scale for every 32 elements along k, found 128 scales for 64
    %r6 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E4M3FN_16x1, %f8E4M3FN_1x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x1xf8E4M3FN>, tile<1x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E4M3FN`, found `f8E4M3FN`
    %r7 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E4M3FN_16x2, %f8E4M3FN_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E4M3FN>, tile<2x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E4M3FN`, found `f8E4M3FN`
    %r8 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E4M3FN_16x4, %f8E4M3FN_4x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x4xf8E4M3FN>, tile<4x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E4M3FN`, found `f8E4M3FN`
    %r9 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E4M3FN_16x8, %f8E4M3FN_8x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x8xf8E4M3FN>, tile<8x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E4M3FN`, found `f8E4M3FN`
    %r10 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E4M3FN_16x64, %f8E4M3FN_64x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E4M3FN`, found `f8E4M3FN`
    %r11 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E4M3FN_16x128, %f8E4M3FN_128x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x128xf8E4M3FN>, tile<128x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E4M3FN`, found `f8E4M3FN`
    %r12 = mmaf_scaled %f8E5M2_16x64, %f8E5M2_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E5M2>, tile<64x8xf8E5M2>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
    %r13 = mmaf_scaled %f8E5M2_16x64, %f8E5M2_64x8, %f32_16x8, %f8E8M0FNU_16x4, %f8E8M0FNU_4x8 : tile<16x64xf8E5M2>, tile<64x8xf8E5M2>, tile<16x8xf32>, tile<16x4xf8E8M0FNU>, tile<4x8xf8E8M0FNU> // error[T0301]: expected a scale for every 32 elements along k, found 4 scales for 64
    %r14 = mmaf_scaled %f8E5M2_16x64, %f8E5M2_64x8, %f32_16x8, %f8E8M0FNU_16x8, %f8E8M0FNU_8x8 : tile<16x64xf8E5M2>, tile<64x8xf8E5M2>, tile<16x8xf32>, tile<16x8xf8E8M0FNU>, tile<8x8xf8E8M0FNU> // error[T0301]: expected a scale for every 32 elements along k, found 8 scales for 64
    %r15 = mmaf_scaled %f8E5M2_16x64, %f8E5M2_64x8, %f32_16x8, %f8E4M3FN_16x2, %f8E4M3FN_2x8 : tile<16x64xf8E5M2>, tile<64x8xf8E5M2>, tile<16x8xf32>, tile<16x2xf8E4M3FN>, tile<2x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E5M2`, found `f8E4M3FN`
    %r16 = mmaf_scaled %f8E5M2_16x64, %f8E5M2_64x8, %f32_16x8, %f8E4M3FN_16x4, %f8E4M3FN_4x8 : tile<16x64xf8E5M2>, tile<64x8xf8E5M2>, tile<16x8xf32>, tile<16x4xf8E4M3FN>, tile<4x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E5M2`, found `f8E4M3FN`
    %r17 = mmaf_scaled %f8E5M2_16x64, %f8E5M2_64x8, %f32_16x8, %f8E4M3FN_16x8, %f8E4M3FN_8x8 : tile<16x64xf8E5M2>, tile<64x8xf8E5M2>, tile<16x8xf32>, tile<16x8xf8E4M3FN>, tile<8x8xf8E4M3FN> // error[T0301]: expected scales of `f8E8M0FNU` for `f8E5M2`, found `f8E4M3FN`
    %r18 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E8M0FNU_16x1, %f8E8M0FNU_1x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x1xf8E8M0FNU>, tile<1x8xf8E8M0FNU> // error[T0301]: expected a scale for every 16 or 32 elements along k, found 1 scales for 64
    %r19 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
    %r20 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E8M0FNU_16x4, %f8E8M0FNU_4x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x4xf8E8M0FNU>, tile<4x8xf8E8M0FNU>
    %r21 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E8M0FNU_16x8, %f8E8M0FNU_8x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x8xf8E8M0FNU>, tile<8x8xf8E8M0FNU> // error[T0301]: expected a scale for every 16 or 32 elements along k, found 8 scales for 64
    %r22 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E8M0FNU_16x64, %f8E8M0FNU_64x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x64xf8E8M0FNU>, tile<64x8xf8E8M0FNU> // error[T0301]: expected a scale for every 16 or 32 elements along k, found 64 scales for 64
    %r23 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E8M0FNU_16x128, %f8E8M0FNU_128x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x128xf8E8M0FNU>, tile<128x8xf8E8M0FNU> // error[T0301]: expected a scale for every 16 or 32 elements along k, found 128 scales for 64
    %r24 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E4M3FN_16x1, %f8E4M3FN_1x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x1xf8E4M3FN>, tile<1x8xf8E4M3FN> // error[T0301]: expected a scale for every 16 elements along k, found 1 scales for 64
    %r25 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E4M3FN_16x2, %f8E4M3FN_2x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x2xf8E4M3FN>, tile<2x8xf8E4M3FN> // error[T0301]: expected a scale for every 16 elements along k, found 2 scales for 64
    %r26 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E4M3FN_16x4, %f8E4M3FN_4x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x4xf8E4M3FN>, tile<4x8xf8E4M3FN>
    %r27 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E4M3FN_16x8, %f8E4M3FN_8x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x8xf8E4M3FN>, tile<8x8xf8E4M3FN> // error[T0301]: expected a scale for every 16 elements along k, found 8 scales for 64
    %r28 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E4M3FN_16x64, %f8E4M3FN_64x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN> // error[T0301]: expected a scale for every 16 elements along k, found 64 scales for 64
    %r29 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E4M3FN_16x128, %f8E4M3FN_128x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x128xf8E4M3FN>, tile<128x8xf8E4M3FN> // error[T0301]: expected a scale for every 16 elements along k, found 128 scales for 64
    %r30 = mmaf_scaled %f8E4M3FN_2x16x64, %f8E4M3FN_2x64x8, %f32_2x16x8, %f8E8M0FNU_2x16x2, %f8E8M0FNU_2x2x8 : tile<2x16x64xf8E4M3FN>, tile<2x64x8xf8E4M3FN>, tile<2x16x8xf32>, tile<2x16x2xf8E8M0FNU>, tile<2x2x8xf8E8M0FNU>
    %r31 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_32x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E4M3FN>, tile<32x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `rhs` with row extent 64, found 32
    %r32 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_8x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<8x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `acc` with row extent 16, found 8
    %r33 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x4, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x4xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `acc` with column extent 8, found 4
    %r34 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_8x2, %f8E8M0FNU_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<8x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `lhs_scale` with row extent 16, found 8
    %r35 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x4 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU> // error[T0301]: expected `rhs_scale` with column extent 8, found 4
    %r36 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_4x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<4x8xf8E8M0FNU> // error[T0301]: expected `rhs_scale` with row extent 2, found 4
    %r37 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_8x2 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<8x2xf8E8M0FNU> // error[T0301]: expected `rhs_scale` with column extent 8, found 2
// error[T0301]: expected `rhs_scale` with row extent 2, found 8
    %r38 = mmaf_scaled %f8E4M3FN_2x16x64, %f8E4M3FN_2x64x8, %f32_2x16x8, %f8E8M0FNU_4x16x2, %f8E8M0FNU_2x2x8 : tile<2x16x64xf8E4M3FN>, tile<2x64x8xf8E4M3FN>, tile<2x16x8xf32>, tile<4x16x2xf8E8M0FNU>, tile<2x2x8xf8E8M0FNU> // error[T0301]: expected `lhs_scale` with batch extent 2, found 4
    %r39 = mmaf_scaled %f8E4M3FN_2x16x64, %f8E4M3FN_2x64x8, %f32_2x16x8, %f8E8M0FNU_2x16x2, %f8E8M0FNU_4x2x8 : tile<2x16x64xf8E4M3FN>, tile<2x64x8xf8E4M3FN>, tile<2x16x8xf32>, tile<2x16x2xf8E8M0FNU>, tile<4x2x8xf8E8M0FNU> // error[T0301]: expected `rhs_scale` with batch extent 2, found 4
    %r40 = mmaf_scaled %f8E4M3FN_2x16x64, %f8E4M3FN_2x64x8, %f32_2x16x8, %f8E8M0FNU_2x8x2, %f8E8M0FNU_2x2x8 : tile<2x16x64xf8E4M3FN>, tile<2x64x8xf8E4M3FN>, tile<2x16x8xf32>, tile<2x8x2xf8E8M0FNU>, tile<2x2x8xf8E8M0FNU> // error[T0301]: expected `lhs_scale` with row extent 16, found 8
    %r41 = mmaf_scaled %f8E4M3FN_2x16x64, %f8E4M3FN_2x64x8, %f32_2x16x8, %f8E8M0FNU_2x16x2, %f8E8M0FNU_2x2x4 : tile<2x16x64xf8E4M3FN>, tile<2x64x8xf8E4M3FN>, tile<2x16x8xf32>, tile<2x16x2xf8E8M0FNU>, tile<2x2x4xf8E8M0FNU> // error[T0301]: expected `rhs_scale` with column extent 8, found 4
    %r42 = mmaf_scaled %f8E4M3FN_2x16x64, %f8E4M3FN_2x64x8, %f32_2x16x8, %f8E8M0FNU_2x16x2, %f8E8M0FNU_2x4x8 : tile<2x16x64xf8E4M3FN>, tile<2x64x8xf8E4M3FN>, tile<2x16x8xf32>, tile<2x16x2xf8E8M0FNU>, tile<2x4x8xf8E8M0FNU> // error[T0301]: expected `rhs_scale` with row extent 2, found 4
    %r43 = mmaf_scaled %f8E4M3FN_2x16x64, %f8E4M3FN_2x64x8, %f32_4x16x8, %f8E8M0FNU_2x16x2, %f8E8M0FNU_2x2x8 : tile<2x16x64xf8E4M3FN>, tile<2x64x8xf8E4M3FN>, tile<4x16x8xf32>, tile<2x16x2xf8E8M0FNU>, tile<2x2x8xf8E8M0FNU> // error[T0301]: expected `acc` with batch extent 2, found 4
    %r44 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_1x16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<1x16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `lhs_scale` of rank `2`, found `3`
    %r45 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_16 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<16xf8E8M0FNU> // error[T0301]: expected `rhs_scale` of rank `2`, found `1`
    %r46 = mmaf_scaled %f8E4M3FN_64, %f8E4M3FN_64, %f32_64, %f8E8M0FNU_2, %f8E8M0FNU_2 : tile<64xf8E4M3FN>, tile<64xf8E4M3FN>, tile<64xf32>, tile<2xf8E8M0FNU>, tile<2xf8E8M0FNU> // error[T0301]: expected three tiles of rank 2 or of rank 3, found ranks 1, 1 and 1
    %r47 = mmaf_scaled %f8E4M3FN_16x64, %f8E5M2_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E5M2>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `rhs` of element type `f8E4M3FN`, found `f8E5M2`
    %r48 = mmaf_scaled %f4E2M1FN_16x64, %f4E2M1FN_64x8, %f32_16x8, %f8E8M0FNU_16x4, %f8E4M3FN_4x8 : tile<16x64xf4E2M1FN>, tile<64x8xf4E2M1FN>, tile<16x8xf32>, tile<16x4xf8E8M0FNU>, tile<4x8xf8E4M3FN> // error[T0301]: expected `rhs_scale` of element type `f8E8M0FNU`, found `f8E4M3FN`
    %r49 = mmaf_scaled %f16_16x64, %f16_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf16>, tile<64x8xf16>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `lhs` to be a tile of f8E4M3FN, f8E5M2 or f4E2M1FN, found `tile<16x64xf16>`
// error[T0301]: expected `rhs` to be a tile of f8E4M3FN, f8E5M2 or f4E2M1FN, found `tile<64x8xf16>`
    %r50 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f16_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf16>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `acc` to be a tile of f32, found `tile<16x8xf16>`
// error[T0303]: expected `result` to be a tile of f32, found `tile<16x8xf16>`
    %r51 = mmaf_scaled %f8E4M3FN_16x64, %f8E4M3FN_64x8, %f32_16x8, %f8E5M2_16x2, %f8E5M2_2x8 : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E5M2>, tile<2x8xf8E5M2> // error[T0301]: expected `lhs_scale` to be a tile of f8E4M3FN or f8E8M0FNU, found `tile<16x2xf8E5M2>`
// error[T0301]: expected `rhs_scale` to be a tile of f8E4M3FN or f8E8M0FNU, found `tile<2x8xf8E5M2>`
    %r52 = mmaf_scaled %f8E8M0FNU_16x64, %f8E8M0FNU_64x8, %f32_16x8, %f8E8M0FNU_16x2, %f8E8M0FNU_2x8 : tile<16x64xf8E8M0FNU>, tile<64x8xf8E8M0FNU>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU> // error[T0301]: expected `lhs` to be a tile of f8E4M3FN, f8E5M2 or f4E2M1FN, found `tile<16x64xf8E8M0FNU>`
// error[T0301]: expected `rhs` to be a tile of f8E4M3FN, f8E5M2 or f4E2M1FN, found `tile<64x8xf8E8M0FNU>`
    return
  }
}
