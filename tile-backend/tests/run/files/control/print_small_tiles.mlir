// test: run
// warps: 4
// arg: i32 = 7
// Tiles of ranks 1 to 3 with their brackets, several in one line, and one of a single element.
cuda_tile.module @kernels {
  entry @test(%n: tile<i32>) {
    %a = iota : tile<4xi32>
    %b8 = iota : tile<8xi32>
    %b = reshape %b8 : tile<8xi32> -> tile<2x4xi32>
    %c = reshape %b8 : tile<8xi32> -> tile<2x2x2xi32>
    %d = reshape %n : tile<i32> -> tile<1x1x1xi32>
    %e = reshape %b8 : tile<8xi32> -> tile<8x1xi32>
    %p0 = print_tko "a = %d, b = %d\0A", %a, %b : tile<4xi32>, tile<2x4xi32> -> token
    %p1 = print_tko "c = %3d; n = %d; d = %d\0A", %c, %n, %d token=%p0 : tile<2x2x2xi32>, tile<i32>, tile<1x1x1xi32> -> token
    %p2 = print_tko "e = %d\0A", %e token=%p1 : tile<8x1xi32> -> token
    return
  }
}
