// test: run
// arg: f32[256] random
// In place: loads before stores of other threads, stores before loads.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>) {
    %v1 = iota : tile<256xi32>
    %v2 = constant <i32: 255> : tile<256xi32>
    %v3 = subi %v2, %v1 : tile<256xi32>
    %v4 = iota : tile<256xi32>
    %v5 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v6 = broadcast %v5 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v7 = offset %v6, %v4 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v8, %v9 = load_ptr_tko weak %v7 : tile<256xptr<f32>> -> tile<256xf32>, token
    %v10 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v11 = broadcast %v10 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v12 = offset %v11, %v3 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v13 = store_ptr_tko weak %v12, %v8 token=%v9 : tile<256xptr<f32>>, tile<256xf32> -> token
    %v14 = iota : tile<256xi32>
    %v15 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v16 = broadcast %v15 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v17 = offset %v16, %v14 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v18, %v19 = load_ptr_tko weak %v17 token=%v13 : tile<256xptr<f32>> -> tile<256xf32>, token
    %v20 = addf %v18, %v18 rounding<nearest_even> : tile<256xf32>
    %v21 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v22 = broadcast %v21 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v23 = offset %v22, %v3 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v24 = store_ptr_tko weak %v23, %v20 token=%v19 : tile<256xptr<f32>>, tile<256xf32> -> token
    return
  }
}
