// test: verify
// `join_tokens` joins two or more.

cuda_tile.module @m {
  entry @k() {
    %t = make_token : token
    %a = join_tokens %t : token // error[T0301]: expected two tokens or more, found 1
    %b = join_tokens : token // error[T0301]: expected two tokens or more, found 0
    %c = join_tokens %t, %a : token
    return
  }
}
