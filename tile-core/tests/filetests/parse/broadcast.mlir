// test: parse
// `broadcast`.

cuda_tile.module @m {
  entry @k() {
    %s = constant <i32: 3> : tile<1x4xi32>
    %r = broadcast %s : tile<1x4xi32> -> tile<8x4xi32>
    return
  }
}
