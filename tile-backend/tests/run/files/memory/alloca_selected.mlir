// test: run
// arg: i32[64] random
// arg: i32[192] zeros
// arg: i1 = 1
// A pointer that is one of two memories of the block, or the caller's; one that was a number in between.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>, %c: tile<i1>) {
    %v1 = alloca num_elem = 64, alignment = 4 : tile<ptr<i32>>
    %v2 = alloca num_elem = 64, alignment = 4 : tile<ptr<i32>>
    %v3 = select %c, %v1, %v2 : tile<i1>, tile<ptr<i32>>
    %v4 = iota : tile<64xi32>
    %v5 = constant <i32: 63> : tile<64xi32>
    %v6 = subi %v5, %v4 : tile<64xi32>
    %v7 = iota : tile<64xi32>
    %v8 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v9 = broadcast %v8 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v10 = offset %v9, %v7 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v11, %v12 = load_ptr_tko weak %v10 : tile<64xptr<i32>> -> tile<64xi32>, token
    %v13 = constant <i32: -1> : tile<64xi32>
    %v14 = iota : tile<64xi32>
    %v15 = reshape %v1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v16 = broadcast %v15 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v17 = offset %v16, %v14 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v18 = store_ptr_tko weak %v17, %v11 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v19 = iota : tile<64xi32>
    %v20 = reshape %v2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v21 = broadcast %v20 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v22 = offset %v21, %v19 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v23 = store_ptr_tko weak %v22, %v13 token=%v18 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v24 = reshape %v3 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v25 = broadcast %v24 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v26 = offset %v25, %v6 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v27, %v28 = load_ptr_tko weak %v26 token=%v23 : tile<64xptr<i32>> -> tile<64xi32>, token
    %v29 = iota : tile<64xi32>
    %v30 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v31 = broadcast %v30 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v32 = offset %v31, %v29 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v33 = store_ptr_tko weak %v32, %v27 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v34 = select %c, %a, %v2 : tile<i1>, tile<ptr<i32>>
    %v35 = constant <i32: 64> : tile<64xi32>
    %v36 = addi %v4, %v35 : tile<64xi32>
    %v37 = reshape %v34 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v38 = broadcast %v37 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v39 = offset %v38, %v6 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v40, %v41 = load_ptr_tko weak %v39 token=%v23 : tile<64xptr<i32>> -> tile<64xi32>, token
    %v42 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v43 = broadcast %v42 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v44 = offset %v43, %v36 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v45 = store_ptr_tko weak %v44, %v40 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v46 = ptr_to_int %v1 : tile<ptr<i32>> -> tile<i64>
    %v47 = int_to_ptr %v46 : tile<i64> -> tile<ptr<i32>>
    %v48 = constant <i32: 128> : tile<64xi32>
    %v49 = addi %v4, %v48 : tile<64xi32>
    %v50 = reshape %v47 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v51 = broadcast %v50 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v52 = offset %v51, %v6 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v53, %v54 = load_ptr_tko weak %v52 token=%v23 : tile<64xptr<i32>> -> tile<64xi32>, token
    %v55 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v56 = broadcast %v55 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v57 = offset %v56, %v49 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v58 = store_ptr_tko weak %v57, %v53 : tile<64xptr<i32>>, tile<64xi32> -> token
    return
  }
}
