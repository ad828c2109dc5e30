// test: parse
// `mmaf_scaled`: five types, every combination of them, rank 2 and 3.

cuda_tile.module @m {
  entry @k() {
    %a0 = constant <f8E4M3FN: 1.000000e+00> : tile<16x64xf8E4M3FN>
    %b0 = constant <f8E4M3FN: 1.000000e+00> : tile<64x16xf8E4M3FN>
    %c0 = constant <f32: 0.000000e+00> : tile<16x16xf32>
    %d0 = constant <f8E8M0FNU: 1.000000e+00> : tile<16x2xf8E8M0FNU>
    %e0 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x16xf8E8M0FNU>
    %r0 = mmaf_scaled %a0, %b0, %c0, %d0, %e0 : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %a1 = constant <f8E4M3FN: 1.000000e+00> : tile<2x16x64xf8E4M3FN>
    %b1 = constant <f8E4M3FN: 1.000000e+00> : tile<2x64x16xf8E4M3FN>
    %c1 = constant <f32: 0.000000e+00> : tile<2x16x16xf32>
    %d1 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x16x2xf8E8M0FNU>
    %e1 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x2x16xf8E8M0FNU>
    %r1 = mmaf_scaled %a1, %b1, %c1, %d1, %e1 : tile<2x16x64xf8E4M3FN>, tile<2x64x16xf8E4M3FN>, tile<2x16x16xf32>, tile<2x16x2xf8E8M0FNU>, tile<2x2x16xf8E8M0FNU>
    %a2 = constant <f8E5M2: 1.000000e+00> : tile<16x64xf8E5M2>
    %b2 = constant <f8E5M2: 1.000000e+00> : tile<64x16xf8E5M2>
    %c2 = constant <f32: 0.000000e+00> : tile<16x16xf32>
    %d2 = constant <f8E8M0FNU: 1.000000e+00> : tile<16x2xf8E8M0FNU>
    %e2 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x16xf8E8M0FNU>
    %r2 = mmaf_scaled %a2, %b2, %c2, %d2, %e2 : tile<16x64xf8E5M2>, tile<64x16xf8E5M2>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %a3 = constant <f8E5M2: 1.000000e+00> : tile<2x16x64xf8E5M2>
    %b3 = constant <f8E5M2: 1.000000e+00> : tile<2x64x16xf8E5M2>
    %c3 = constant <f32: 0.000000e+00> : tile<2x16x16xf32>
    %d3 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x16x2xf8E8M0FNU>
    %e3 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x2x16xf8E8M0FNU>
    %r3 = mmaf_scaled %a3, %b3, %c3, %d3, %e3 : tile<2x16x64xf8E5M2>, tile<2x64x16xf8E5M2>, tile<2x16x16xf32>, tile<2x16x2xf8E8M0FNU>, tile<2x2x16xf8E8M0FNU>
    %a4 = constant <f4E2M1FN: 1.000000e+00> : tile<16x64xf4E2M1FN>
    %b4 = constant <f4E2M1FN: 1.000000e+00> : tile<64x16xf4E2M1FN>
    %c4 = constant <f32: 0.000000e+00> : tile<16x16xf32>
    %d4 = constant <f8E8M0FNU: 1.000000e+00> : tile<16x2xf8E8M0FNU>
    %e4 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x16xf8E8M0FNU>
    %r4 = mmaf_scaled %a4, %b4, %c4, %d4, %e4 : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %a5 = constant <f4E2M1FN: 1.000000e+00> : tile<2x16x64xf4E2M1FN>
    %b5 = constant <f4E2M1FN: 1.000000e+00> : tile<2x64x16xf4E2M1FN>
    %c5 = constant <f32: 0.000000e+00> : tile<2x16x16xf32>
    %d5 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x16x2xf8E8M0FNU>
    %e5 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x2x16xf8E8M0FNU>
    %r5 = mmaf_scaled %a5, %b5, %c5, %d5, %e5 : tile<2x16x64xf4E2M1FN>, tile<2x64x16xf4E2M1FN>, tile<2x16x16xf32>, tile<2x16x2xf8E8M0FNU>, tile<2x2x16xf8E8M0FNU>
    %a6 = constant <f4E2M1FN: 1.000000e+00> : tile<16x64xf4E2M1FN>
    %b6 = constant <f4E2M1FN: 1.000000e+00> : tile<64x16xf4E2M1FN>
    %c6 = constant <f32: 0.000000e+00> : tile<16x16xf32>
    %d6 = constant <f8E4M3FN: 1.000000e+00> : tile<16x4xf8E4M3FN>
    %e6 = constant <f8E4M3FN: 1.000000e+00> : tile<4x16xf8E4M3FN>
    %r6 = mmaf_scaled %a6, %b6, %c6, %d6, %e6 : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x4xf8E4M3FN>, tile<4x16xf8E4M3FN>
    %a7 = constant <f4E2M1FN: 1.000000e+00> : tile<2x16x64xf4E2M1FN>
    %b7 = constant <f4E2M1FN: 1.000000e+00> : tile<2x64x16xf4E2M1FN>
    %c7 = constant <f32: 0.000000e+00> : tile<2x16x16xf32>
    %d7 = constant <f8E4M3FN: 1.000000e+00> : tile<2x16x4xf8E4M3FN>
    %e7 = constant <f8E4M3FN: 1.000000e+00> : tile<2x4x16xf8E4M3FN>
    %r7 = mmaf_scaled %a7, %b7, %c7, %d7, %e7 : tile<2x16x64xf4E2M1FN>, tile<2x64x16xf4E2M1FN>, tile<2x16x16xf32>, tile<2x16x4xf8E4M3FN>, tile<2x4x16xf8E4M3FN>
    return
  }
}
