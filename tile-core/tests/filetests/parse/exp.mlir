// test: parse
// `exp`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = exp %f : tile<4xf32>
    %a = exp %f rounding<approx> : tile<4xf32>
    return
  }
}
