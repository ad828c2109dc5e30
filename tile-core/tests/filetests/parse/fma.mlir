// test: parse
// `fma`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = fma %f, %f, %f : tile<4xf32>
    %z = fma %f, %f, %f rounding<negative_inf> flush_to_zero : tile<4xf32>
    return
  }
}
