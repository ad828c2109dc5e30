// test: run
// arg: i8 = 65
// arg: i32 = 322
// Characters, percent signs and text without conversions.
cuda_tile.module @kernels {
  entry @test(%a: tile<i8>, %b: tile<i32>) {
    %p0 = print_tko "plain\0A" -> token
    %p1 = print_tko "100%% of %c%c%%\0A", %a, %b : tile<i8>, tile<i32> -> token
    %p2 = print_tko "%5c|%-5c|\0A", %a, %b : tile<i8>, tile<i32> -> token
    return
  }
}
