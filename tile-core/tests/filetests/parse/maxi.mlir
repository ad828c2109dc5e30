// test: parse
// `maxi`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = maxi %i, %i signed : tile<4xi32>
    %u = maxi %i, %i unsigned : tile<4xi32>
    return
  }
}
