// test: parse
// `gdc_wait_tko`: with and without a token.

cuda_tile.module @m {
  entry @k() {
    %t0 = gdc_wait_tko -> token
    %t1 = gdc_wait_tko token = %t0 -> token
    return
  }
}
