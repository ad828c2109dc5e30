// test: run
// arg: f32[128] random
// arg: f32[128] zeros
// Updates of the block's own memory.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = alloca num_elem = 128, alignment = 16 : tile<ptr<f32>>
    %v2 = constant <f32: 0.0> : tile<128xf32>
    %v3 = iota : tile<128xi32>
    %v4 = reshape %v1 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v5 = broadcast %v4 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %v6 = offset %v5, %v3 : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %v7 = store_ptr_tko weak %v6, %v2 : tile<128xptr<f32>>, tile<128xf32> -> token
    %v8 = iota : tile<128xi32>
    %v9 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v10 = broadcast %v9 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %v11 = offset %v10, %v8 : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %v12, %v13 = load_ptr_tko weak %v11 : tile<128xptr<f32>> -> tile<128xf32>, token
    %v14, %v15 = atomic_rmw_tko relaxed tl_blk %v6, addf, %v12 token=%v7 : tile<128xptr<f32>>, tile<128xf32> -> tile<128xf32>, token
    %v16, %v17 = atomic_rmw_tko acq_rel tl_blk %v6, xchg, %v12 token=%v15 : tile<128xptr<f32>>, tile<128xf32> -> tile<128xf32>, token
    %v18, %v19 = load_ptr_tko weak %v6 token=%v17 : tile<128xptr<f32>> -> tile<128xf32>, token
    %v20 = addf %v16, %v18 rounding<nearest_even> : tile<128xf32>
    %v21 = iota : tile<128xi32>
    %v22 = reshape %b : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v23 = broadcast %v22 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %v24 = offset %v23, %v21 : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %v25 = store_ptr_tko weak %v24, %v20 : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }
}
