// test: verify
// Tokens.

cuda_tile.module @m {
  entry @k() {
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %t = make_token : token
    %r0 = memory_fence_alias_tko %t
    %r1 = memory_fence_alias_tko %f32 // error[T0301]: expected `token` to be a token, found `tile<4xf32>`
// error[T0303]: expected `result_token` to be a token, found `tile<4xf32>`
    return
  }
}
