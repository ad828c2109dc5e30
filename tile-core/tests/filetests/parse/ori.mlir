// test: parse
// `ori`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = ori %i, %i : tile<4xi32>
    return
  }
}
