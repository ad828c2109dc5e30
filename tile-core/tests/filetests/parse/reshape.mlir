// test: parse
// `reshape`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = reshape %i : tile<4xi32> -> tile<2x1x2xi32>
    return
  }
}
