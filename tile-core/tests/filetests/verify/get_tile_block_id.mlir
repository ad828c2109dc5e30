// test: verify
// Rank-0 i32.

cuda_tile.module @m {
  entry @k() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %u, %v, %w = get_tile_block_id : tile<i64> // error[T0303]: expected `blockId_x` to be a rank-0 tile of i32, found `tile<i64>`
// error[T0303]: expected `blockId_y` to be a rank-0 tile of i32, found `tile<i64>`
// error[T0303]: expected `blockId_z` to be a rank-0 tile of i32, found `tile<i64>`
    %a, %b, %c = get_tile_block_id : tile<4xi32> // error[T0303]: expected `blockId_x` to be a rank-0 tile of i32, found `tile<4xi32>`
// error[T0303]: expected `blockId_y` to be a rank-0 tile of i32, found `tile<4xi32>`
// error[T0303]: expected `blockId_z` to be a rank-0 tile of i32, found `tile<4xi32>`
    %d, %e, %f = get_tile_block_id : tile<f32> // error[T0303]: expected `blockId_x` to be a rank-0 tile of i32, found `tile<f32>`
// error[T0303]: expected `blockId_y` to be a rank-0 tile of i32, found `tile<f32>`
// error[T0303]: expected `blockId_z` to be a rank-0 tile of i32, found `tile<f32>`
    return
  }
}
