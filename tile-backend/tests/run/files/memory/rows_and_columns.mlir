// test: run
// arg: f32[2560] random
// arg: f32[2048] zeros
// arg: i32 = 80
// Rows a stride apart, whole vectors along them; stored transposed.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %s: tile<i32>) {
    %v1 = assume div_by<16>, %a : tile<ptr<f32>>
    %v2 = assume div_by<8>, %s : tile<i32>
    %v3 = iota : tile<32xi32>
    %v4 = reshape %v3 : tile<32xi32> -> tile<32x1xi32>
    %v5 = reshape %v2 : tile<i32> -> tile<1x1xi32>
    %v6 = broadcast %v5 : tile<1x1xi32> -> tile<32x1xi32>
    %v7 = muli %v4, %v6 : tile<32x1xi32>
    %v8 = broadcast %v7 : tile<32x1xi32> -> tile<32x64xi32>
    %v9 = iota : tile<64xi32>
    %v10 = reshape %v9 : tile<64xi32> -> tile<1x64xi32>
    %v11 = broadcast %v10 : tile<1x64xi32> -> tile<32x64xi32>
    %v12 = addi %v8, %v11 : tile<32x64xi32>
    %v13 = reshape %v1 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v14 = broadcast %v13 : tile<1x1xptr<f32>> -> tile<32x64xptr<f32>>
    %v15 = offset %v14, %v12 : tile<32x64xptr<f32>>, tile<32x64xi32> -> tile<32x64xptr<f32>>
    %v16, %v17 = load_ptr_tko weak %v15 : tile<32x64xptr<f32>> -> tile<32x64xf32>, token
    %v18 = permute %v16 [1, 0] : tile<32x64xf32> -> tile<64x32xf32>
    %v19 = iota : tile<2048xi32>
    %v20 = reshape %v19 : tile<2048xi32> -> tile<64x32xi32>
    %v21 = reshape %b : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v22 = broadcast %v21 : tile<1x1xptr<f32>> -> tile<64x32xptr<f32>>
    %v23 = offset %v22, %v20 : tile<64x32xptr<f32>>, tile<64x32xi32> -> tile<64x32xptr<f32>>
    %v24 = store_ptr_tko weak %v23, %v18 : tile<64x32xptr<f32>>, tile<64x32xf32> -> token
    return
  }
}
