// test: verify
// Rank-0 i32.

cuda_tile.module @m {
  entry @k() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %u, %v, %w = get_tile_block_id : tile<i64>
    %a, %b, %c = get_tile_block_id : tile<4xi32>
    %d, %e, %f = get_tile_block_id : tile<f32>
    return
  }
}
