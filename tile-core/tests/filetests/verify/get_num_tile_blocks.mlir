// test: verify
// Rank-0 i32.

cuda_tile.module @m {
  entry @k() {
    %x, %y, %z = get_num_tile_blocks : tile<i32>
    %u, %v, %w = get_num_tile_blocks : tile<i64> // error[T0303]: expected `gridSize_x` to be a rank-0 tile of i32, found `tile<i64>`
// error[T0303]: expected `gridSize_y` to be a rank-0 tile of i32, found `tile<i64>`
// error[T0303]: expected `gridSize_z` to be a rank-0 tile of i32, found `tile<i64>`
    %a, %b, %c = get_num_tile_blocks : tile<4xi32> // error[T0303]: expected `gridSize_x` to be a rank-0 tile of i32, found `tile<4xi32>`
// error[T0303]: expected `gridSize_y` to be a rank-0 tile of i32, found `tile<4xi32>`
// error[T0303]: expected `gridSize_z` to be a rank-0 tile of i32, found `tile<4xi32>`
    %d, %e, %f = get_num_tile_blocks : tile<f32> // error[T0303]: expected `gridSize_x` to be a rank-0 tile of i32, found `tile<f32>`
// error[T0303]: expected `gridSize_y` to be a rank-0 tile of i32, found `tile<f32>`
// error[T0303]: expected `gridSize_z` to be a rank-0 tile of i32, found `tile<f32>`
    return
  }
}
