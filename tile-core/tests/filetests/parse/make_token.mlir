// test: parse
// `make_token`.

cuda_tile.module @m {
  entry @k() {
    %t = make_token : token
    return
  }
}
