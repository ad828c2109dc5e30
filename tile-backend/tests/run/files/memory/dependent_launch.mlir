// test: run
// arg: i32[64] zeros
// arg: i32[64] zeros
// Waits for the kernel before, lets the next one start; a fence between names of one memory.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %v1 = gdc_wait_tko -> token
    %v2 = iota : tile<64xi32>
    %v3 = constant <i32: 63> : tile<64xi32>
    %v4 = subi %v3, %v2 : tile<64xi32>
    %v5 = iota : tile<64xi32>
    %v6 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v7 = broadcast %v6 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v8 = offset %v7, %v5 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v9 = store_ptr_tko weak %v8, %v2 token=%v1 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v10 = memory_fence_alias_tko %v9
    %v11 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v12 = broadcast %v11 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v13 = offset %v12, %v4 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v14, %v15 = load_ptr_tko weak %v13 token=%v10 : tile<64xptr<i32>> -> tile<64xi32>, token
    %v16 = iota : tile<64xi32>
    %v17 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v18 = broadcast %v17 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v19 = offset %v18, %v16 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v20 = store_ptr_tko weak %v19, %v14 token=%v15 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v21 = gdc_launch_dependents_tko token = %v20 -> token
    return
  }
}
