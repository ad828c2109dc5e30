// test: parse
// `pow`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = pow %f, %f : tile<4xf32>
    return
  }
}
