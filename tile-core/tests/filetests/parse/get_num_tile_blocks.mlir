// test: parse
// One type stands for three results.

cuda_tile.module @m {
  entry @k() {
    %x, %y, %z = get_num_tile_blocks : tile<i32>
    return
  }
}
