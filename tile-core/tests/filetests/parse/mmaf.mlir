// test: parse
// `mmaf`: three types; the result has that of the accumulator.

cuda_tile.module @m {
  entry @k() {
    %a = constant <bf16: 1.000000e+00> : tile<16x8xbf16>
    %b = constant <bf16: 2.000000e+00> : tile<8x4xbf16>
    %c = constant <f32: 0.000000e+00> : tile<16x4xf32>
    %d = mmaf %a, %b, %c : tile<16x8xbf16>, tile<8x4xbf16>, tile<16x4xf32>
    %x = constant <f8E4M3FN: 1.000000e+00> : tile<2x16x8xf8E4M3FN>
    %y = constant <f8E4M3FN: 2.000000e+00> : tile<2x8x4xf8E4M3FN>
    %z = constant <f32: 0.000000e+00> : tile<2x16x4xf32>
    %r = mmaf %x, %y, %z fast_acc : tile<2x16x8xf8E4M3FN>, tile<2x8x4xf8E4M3FN>, tile<2x16x4xf32>
    return
  }
}
