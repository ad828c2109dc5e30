// test: run
// arg: f32[256] random
// arg: f32[256] zeros
// A loop carries tiles of pointers, and one pointer.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = constant <i32: 4> : tile<i32>
    %v3 = constant <i32: 1> : tile<i32>
    %v4 = iota : tile<64xi32>
    %v5 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v6 = broadcast %v5 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %v7 = offset %v6, %v4 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %v8 = iota : tile<64xi32>
    %v9 = reshape %b : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v10 = broadcast %v9 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %v11 = offset %v10, %v8 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %v12, %v13, %v14 = for %it in (%v1 to %v2, step %v3) : tile<i32> iter_values(%p = %v7, %q = %v11, %u = %a) -> (tile<64xptr<f32>>, tile<64xptr<f32>>, tile<ptr<f32>>) {
      %v15, %v16 = load_ptr_tko weak %p : tile<64xptr<f32>> -> tile<64xf32>, token
      %v17, %v18 = load_ptr_tko weak %u : tile<ptr<f32>> -> tile<f32>, token
      %v19 = reshape %v17 : tile<f32> -> tile<1xf32>
      %v20 = broadcast %v19 : tile<1xf32> -> tile<64xf32>
      %v21 = mulf %v15, %v20 rounding<nearest_even> : tile<64xf32>
      %v22 = store_ptr_tko weak %q, %v21 : tile<64xptr<f32>>, tile<64xf32> -> token
      %v23 = constant <i32: 64> : tile<64xi32>
      %v24 = offset %p, %v23 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
      %v25 = offset %q, %v23 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
      %v26 = constant <i32: 3> : tile<i32>
      %v27 = offset %u, %v26 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      continue %v24, %v25, %v27 : tile<64xptr<f32>>, tile<64xptr<f32>>, tile<ptr<f32>>
    }
    return
  }
}
