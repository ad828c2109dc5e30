// test: parse
// `remi`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = remi %i, %i signed : tile<4xi32>
    %u = remi %i, %i unsigned : tile<4xi32>
    return
  }
}
