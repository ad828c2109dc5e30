// test: verify
// Two tokens or more.

cuda_tile.module @m {
  entry @k() {
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %a = make_token : token
    %b = make_token : token
    %r0 = join_tokens %a, %b : token
    %r1 = join_tokens %a, %b, %a : token
    %r2 = join_tokens %a : token // error[T0301]: expected two tokens or more, found 1
    %r3 = join_tokens %a, %f32 : token // error[T0301]: expected `tokens` to be a token, found `tile<4xf32>`
    %r4 = join_tokens %a, %b : tile<f32> // error[T0303]: expected `result` to be a token, found `tile<f32>`
    return
  }
}
