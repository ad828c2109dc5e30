// test: parse
// `sqrt`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = sqrt %f : tile<4xf32>
    %z = sqrt %f rounding<approx> flush_to_zero : tile<4xf32>
    %p = sqrt %f rounding<positive_inf> : tile<4xf32>
    return
  }
}
