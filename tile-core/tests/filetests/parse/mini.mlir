// test: parse
// `mini`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = mini %i, %i signed : tile<4xi32>
    %u = mini %i, %i unsigned : tile<4xi32>
    return
  }
}
