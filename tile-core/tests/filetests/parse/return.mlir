// test: parse
// An early `return`.

cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<i1>
    if %c {
      return
    }
    return
  }
}
