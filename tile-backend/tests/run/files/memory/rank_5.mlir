// test: run
// arg: f32[32] random
// arg: f32[32] zeros
// Tiles of pointers of rank 5.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = iota : tile<32xi32>
    %v2 = reshape %v1 : tile<32xi32> -> tile<2x2x2x2x2xi32>
    %v3 = reshape %a : tile<ptr<f32>> -> tile<1x1x1x1x1xptr<f32>>
    %v4 = broadcast %v3 : tile<1x1x1x1x1xptr<f32>> -> tile<2x2x2x2x2xptr<f32>>
    %v5 = offset %v4, %v2 : tile<2x2x2x2x2xptr<f32>>, tile<2x2x2x2x2xi32> -> tile<2x2x2x2x2xptr<f32>>
    %v6 = iota : tile<32xi32>
    %v7 = reshape %v6 : tile<32xi32> -> tile<2x2x2x2x2xi32>
    %v8 = reshape %b : tile<ptr<f32>> -> tile<1x1x1x1x1xptr<f32>>
    %v9 = broadcast %v8 : tile<1x1x1x1x1xptr<f32>> -> tile<2x2x2x2x2xptr<f32>>
    %v10 = offset %v9, %v7 : tile<2x2x2x2x2xptr<f32>>, tile<2x2x2x2x2xi32> -> tile<2x2x2x2x2xptr<f32>>
    %v11, %v12 = load_ptr_tko weak %v5 : tile<2x2x2x2x2xptr<f32>> -> tile<2x2x2x2x2xf32>, token
    %v13 = addf %v11, %v11 rounding<nearest_even> : tile<2x2x2x2x2xf32>
    %v14 = store_ptr_tko weak %v10, %v13 : tile<2x2x2x2x2xptr<f32>>, tile<2x2x2x2x2xf32> -> token
    return
  }
}
