// test: verify
// A token.

cuda_tile.module @m {
  entry @k() {
    %r0 = make_token : token
    %r1 = make_token : tile<i32> // error[T0303]: expected `result` to be a token, found `tile<i32>`
    return
  }
}
