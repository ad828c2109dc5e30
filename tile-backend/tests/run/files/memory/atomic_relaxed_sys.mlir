// test: run
// arg: i32[160] small
// arg: bf16[64] small
// arg: i32[160] zeros
// Updates that are relaxed, scope `sys`.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %b: tile<ptr<bf16>>, %old: tile<ptr<i32>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = offset %a, %v1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v3 = offset %old, %v1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v4 = iota : tile<128xi32>
    %v5 = reshape %v2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v6 = broadcast %v5 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v7 = offset %v6, %v4 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v8 = iota : tile<128xi32>
    %v9 = reshape %v3 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v10 = broadcast %v9 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v11 = offset %v10, %v8 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v12 = constant <i32: 3> : tile<128xi32>
    %v13, %v14 = atomic_rmw_tko relaxed sys %v7, add, %v12 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xi32>, token
    %v15 = addi %v13, %v12 : tile<128xi32>
    %v16 = constant <i32: -9> : tile<128xi32>
    %v17, %v18 = atomic_rmw_tko relaxed sys %v7, max, %v12 token=%v14 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xi32>, token
    %v19, %v20 = atomic_cas_tko relaxed sys %v7, %v15, %v16 token=%v18 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xi32>, token
    %v21 = store_ptr_tko weak %v11, %v19 token=%v20 : tile<128xptr<i32>>, tile<128xi32> -> token
    %v22 = constant <i32: 128> : tile<i32>
    %v23 = offset %a, %v22 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v24 = offset %old, %v22 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v25 = constant <i32: 3> : tile<i32>
    %v26, %v27 = atomic_rmw_tko relaxed sys %v23, add, %v25 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %v28 = addi %v26, %v25 : tile<i32>
    %v29 = constant <i32: -9> : tile<i32>
    %v30, %v31 = atomic_rmw_tko relaxed sys %v23, max, %v25 token=%v27 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %v32, %v33 = atomic_cas_tko relaxed sys %v23, %v28, %v29 token=%v31 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %v34 = store_ptr_tko weak %v24, %v32 token=%v33 : tile<ptr<i32>>, tile<i32> -> token
    %v35 = iota : tile<64xi32>
    %v36 = reshape %b : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %v37 = broadcast %v36 : tile<1xptr<bf16>> -> tile<64xptr<bf16>>
    %v38 = offset %v37, %v35 : tile<64xptr<bf16>>, tile<64xi32> -> tile<64xptr<bf16>>
    %v39 = constant <bf16: 1.0> : tile<64xbf16>
    %v40, %v41 = atomic_rmw_tko relaxed sys %v38, addf, %v39 : tile<64xptr<bf16>>, tile<64xbf16> -> tile<64xbf16>, token
    return
  }
}
