// test: parse
// `permute`.

cuda_tile.module @m {
  entry @k() {
    %s = constant <i32: 3> : tile<1x4x2xi32>
    %r = permute %s [2, 0, 1] : tile<1x4x2xi32> -> tile<2x1x4xi32>
    return
  }
}
