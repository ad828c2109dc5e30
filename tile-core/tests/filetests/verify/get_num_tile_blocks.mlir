// test: verify
// Rank-0 i32.

cuda_tile.module @m {
  entry @k() {
    %x, %y, %z = get_num_tile_blocks : tile<i32>
    %u, %v, %w = get_num_tile_blocks : tile<i64>
    %a, %b, %c = get_num_tile_blocks : tile<4xi32>
    %d, %e, %f = get_num_tile_blocks : tile<f32>
    return
  }
}
