// test: parse
// `shri`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = shri %i, %i signed : tile<4xi32>
    %u = shri %i, %i unsigned : tile<4xi32>
    return
  }
}
