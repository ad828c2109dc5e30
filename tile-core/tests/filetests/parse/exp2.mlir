// test: parse
// `exp2`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = exp2 %f : tile<4xf32>
    %z = exp2 %f flush_to_zero : tile<4xf32>
    return
  }
}
