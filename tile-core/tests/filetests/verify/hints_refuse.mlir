// test: verify -Wunsupported-hints -Werr-hints
// An operation with hints that no compiler follows is refused, once.

cuda_tile.module @m {
  entry @good() optimization_hints=<sm_90 = {occupancy = 2}> {
  }
  entry @bad() optimization_hints=<sm_99 = {a = 1}, sm_90 = {occupancy = 33, latency = 1}> { // warning[T0302]: latency is not known hint for current Operation
// warning[T0302]: integer value in the range [1, 32] is expected for sm_90.occupancy
// warning[T0302]: `sm_99` is not a known architecture
// error[T0302]: Optimization hints verification failed
  }
}
