// test: parse
// `iota`.

cuda_tile.module @m {
  entry @k() {
    %r = iota : tile<128xi32>
    return
  }
}
