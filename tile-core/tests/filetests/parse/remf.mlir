// test: parse
// `remf`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = remf %f, %f : tile<4xf32>
    return
  }
}
