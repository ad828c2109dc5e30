// test: run
// grid: 3 2 1
// Every block prints a line.
cuda_tile.module @kernels {
  entry @test() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = iota : tile<4xi32>
    %p = print_tko "block %d, %d: %d\0A", %x, %y, %a : tile<i32>, tile<i32>, tile<4xi32> -> token
    return
  }
}
