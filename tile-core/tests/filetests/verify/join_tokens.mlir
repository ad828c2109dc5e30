// test: verify
// Two tokens or more.

cuda_tile.module @m {
  entry @k() {
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %a = make_token : token
    %b = make_token : token
    %r0 = join_tokens %a, %b : token
    %r1 = join_tokens %a, %b, %a : token
    %r2 = join_tokens %a : token
    %r3 = join_tokens %a, %f32 : token
    %r4 = join_tokens %a, %b : tile<f32>
    return
  }
}
