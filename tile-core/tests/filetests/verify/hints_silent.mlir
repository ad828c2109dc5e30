// test: verify
// Hints that no compiler knows are no fault; a type that none is, is one.

cuda_tile.module @m {
  entry @k() optimization_hints=<sm_99 = {a = 1}, sm_80 = {num_cta_in_cga = 8, latency = true}> {
  }
  entry @types() optimization_hints=<sm_90 = {a = tile<4xf32>, b = [f32, {c = tensor_view<4xf32, strides=[1]>}], d = tile<i4>}> {
  }
  entry @empty() optimization_hints=<sm_90 = {a = tile<4xf32>, occupancy = tile<0xi8>}> { // error[T0306]: all dimensions must be positive constants, got 0
  }
  entry @nested() optimization_hints=<sm_80 = {a = 1}, sm_90 = {a = [1, {b = tile<3xi8>}]}> { // error[T0306]: all dimensions must be powers of two, got 3
  }
  entry @both() optimization_hints=<sm_80 = {a = tile<3xi8>}, sm_90 = {a = tile<0xi8>}> { // error[T0306]: all dimensions must be powers of two, got 3
  }
}
