// test: run
// arg: f32[1] random
// arg: f32[1] zeros
// Tiles of pointers of rank 0.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1, %v2 = load_ptr_tko weak %a : tile<ptr<f32>> -> tile<f32>, token
    %v3 = addf %v1, %v1 rounding<nearest_even> : tile<f32>
    %v4 = store_ptr_tko weak %b, %v3 : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
