// test: verify
// Hints that no compiler knows are no fault.

cuda_tile.module @m {
  entry @k() optimization_hints=<sm_99 = {a = 1}, sm_80 = {num_cta_in_cga = 8, latency = true}> {
  }
}
