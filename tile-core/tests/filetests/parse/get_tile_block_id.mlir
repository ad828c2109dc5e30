// test: parse
// One type stands for three results.

cuda_tile.module @m {
  entry @k() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    return
  }
}
