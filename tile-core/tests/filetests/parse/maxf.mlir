// test: parse
// `maxf`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = maxf %f, %f : tile<4xf32>
    %z = maxf %f, %f flush_to_zero propagate_nan : tile<4xf32>
    %p = maxf %f, %f propagate_nan : tile<4xf32>
    return
  }
}
