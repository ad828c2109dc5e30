// test: parse
// `memory_fence_alias_tko`: no type is written.

cuda_tile.module @m {
  entry @k() {
    %t0 = make_token : token
    %t1 = memory_fence_alias_tko %t0
    return
  }
}
