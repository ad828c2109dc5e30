// test: parse
// `gdc_launch_dependents_tko`: with and without a token.

cuda_tile.module @m {
  entry @k() {
    %t0 = gdc_launch_dependents_tko -> token
    %t1 = gdc_launch_dependents_tko token = %t0 -> token
    return
  }
}
