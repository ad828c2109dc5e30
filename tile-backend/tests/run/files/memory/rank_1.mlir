// test: run
// arg: f32[4096] random
// arg: f32[4096] zeros
// Tiles of pointers of rank 1.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = iota : tile<4096xi32>
    %v2 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v3 = broadcast %v2 : tile<1xptr<f32>> -> tile<4096xptr<f32>>
    %v4 = offset %v3, %v1 : tile<4096xptr<f32>>, tile<4096xi32> -> tile<4096xptr<f32>>
    %v5 = iota : tile<4096xi32>
    %v6 = reshape %b : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v7 = broadcast %v6 : tile<1xptr<f32>> -> tile<4096xptr<f32>>
    %v8 = offset %v7, %v5 : tile<4096xptr<f32>>, tile<4096xi32> -> tile<4096xptr<f32>>
    %v9, %v10 = load_ptr_tko weak %v4 : tile<4096xptr<f32>> -> tile<4096xf32>, token
    %v11 = addf %v9, %v9 rounding<nearest_even> : tile<4096xf32>
    %v12 = store_ptr_tko weak %v8, %v11 : tile<4096xptr<f32>>, tile<4096xf32> -> token
    return
  }
}
