// test: parse
// `join_tokens`: one type for all.

cuda_tile.module @m {
  entry @k() {
    %t = make_token : token
    %u = make_token : token
    %j = join_tokens %t, %u, %t : token
    return
  }
}
