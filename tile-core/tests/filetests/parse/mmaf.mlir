// test: parse
// `mmaf`: three types, every combination of them; the result has that of the accumulator.

cuda_tile.module @m {
  entry @k() {
    %a0 = constant <f16: 1.000000e+00> : tile<16x8xf16>
    %b0 = constant <f16: 1.000000e+00> : tile<8x4xf16>
    %c0 = constant <f16: 0.000000e+00> : tile<16x4xf16>
    %r0 = mmaf %a0, %b0, %c0 : tile<16x8xf16>, tile<8x4xf16>, tile<16x4xf16>
    %a1 = constant <f16: 1.000000e+00> : tile<16x8xf16>
    %b1 = constant <f16: 1.000000e+00> : tile<8x4xf16>
    %c1 = constant <f32: 0.000000e+00> : tile<16x4xf32>
    %r1 = mmaf %a1, %b1, %c1 : tile<16x8xf16>, tile<8x4xf16>, tile<16x4xf32>
    %a2 = constant <bf16: 1.000000e+00> : tile<16x8xbf16>
    %b2 = constant <bf16: 1.000000e+00> : tile<8x4xbf16>
    %c2 = constant <f32: 0.000000e+00> : tile<16x4xf32>
    %r2 = mmaf %a2, %b2, %c2 : tile<16x8xbf16>, tile<8x4xbf16>, tile<16x4xf32>
    %a3 = constant <tf32: 1.000000e+00> : tile<16x8xtf32>
    %b3 = constant <tf32: 1.000000e+00> : tile<8x4xtf32>
    %c3 = constant <f32: 0.000000e+00> : tile<16x4xf32>
    %r3 = mmaf %a3, %b3, %c3 : tile<16x8xtf32>, tile<8x4xtf32>, tile<16x4xf32>
    %a4 = constant <f32: 1.000000e+00> : tile<16x8xf32>
    %b4 = constant <f32: 1.000000e+00> : tile<8x4xf32>
    %c4 = constant <f32: 0.000000e+00> : tile<16x4xf32>
    %r4 = mmaf %a4, %b4, %c4 : tile<16x8xf32>, tile<8x4xf32>, tile<16x4xf32>
    %a5 = constant <f64: 1.000000e+00> : tile<16x8xf64>
    %b5 = constant <f64: 1.000000e+00> : tile<8x4xf64>
    %c5 = constant <f64: 0.000000e+00> : tile<16x4xf64>
    %r5 = mmaf %a5, %b5, %c5 : tile<16x8xf64>, tile<8x4xf64>, tile<16x4xf64>
    %a6 = constant <f8E4M3FN: 1.000000e+00> : tile<16x8xf8E4M3FN>
    %b6 = constant <f8E4M3FN: 1.000000e+00> : tile<8x4xf8E4M3FN>
    %c6 = constant <f16: 0.000000e+00> : tile<16x4xf16>
    %r6 = mmaf %a6, %b6, %c6 : tile<16x8xf8E4M3FN>, tile<8x4xf8E4M3FN>, tile<16x4xf16>
    %a7 = constant <f8E4M3FN: 1.000000e+00> : tile<16x8xf8E4M3FN>
    %b7 = constant <f8E4M3FN: 1.000000e+00> : tile<8x4xf8E4M3FN>
    %c7 = constant <f32: 0.000000e+00> : tile<16x4xf32>
    %r7 = mmaf %a7, %b7, %c7 fast_acc : tile<16x8xf8E4M3FN>, tile<8x4xf8E4M3FN>, tile<16x4xf32>
    %a8 = constant <f8E5M2: 1.000000e+00> : tile<16x8xf8E5M2>
    %b8 = constant <f8E5M2: 1.000000e+00> : tile<8x4xf8E5M2>
    %c8 = constant <f16: 0.000000e+00> : tile<16x4xf16>
    %r8 = mmaf %a8, %b8, %c8 : tile<16x8xf8E5M2>, tile<8x4xf8E5M2>, tile<16x4xf16>
    %a9 = constant <f8E5M2: 1.000000e+00> : tile<16x8xf8E5M2>
    %b9 = constant <f8E5M2: 1.000000e+00> : tile<8x4xf8E5M2>
    %c9 = constant <f32: 0.000000e+00> : tile<16x4xf32>
    %r9 = mmaf %a9, %b9, %c9 fast_acc : tile<16x8xf8E5M2>, tile<8x4xf8E5M2>, tile<16x4xf32>
    %x = constant <f16: 1.000000e+00> : tile<2x16x8xf16>
    %y = constant <f16: 2.000000e+00> : tile<2x8x4xf16>
    %z = constant <f32: 0.000000e+00> : tile<2x16x4xf32>
    %r = mmaf %x, %y, %z : tile<2x16x8xf16>, tile<2x8x4xf16>, tile<2x16x4xf32>
    return
  }
}
