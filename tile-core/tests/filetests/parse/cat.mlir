// test: parse
// `cat`: an axis and three types.

cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %r0 = cat %a, %a dim = 0 : tile<2x4xf32>, tile<2x4xf32> -> tile<4x4xf32>
    %r1 = cat %a, %a dim = 1 : tile<2x4xf32>, tile<2x4xf32> -> tile<2x8xf32>
    %i = iota : tile<16xi8>
    %r2 = cat %i, %i dim = 0 : tile<16xi8>, tile<16xi8> -> tile<32xi8>
    return
  }
}
