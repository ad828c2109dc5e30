// test: verify
// Tokens.

cuda_tile.module @m {
  entry @k() {
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %t = make_token : token
    %r0 = gdc_launch_dependents_tko -> token
    %r1 = gdc_launch_dependents_tko token = %t -> token
    %r2 = gdc_launch_dependents_tko token = %f32 -> token
    %r3 = gdc_launch_dependents_tko -> tile<f32>
    return
  }
}
