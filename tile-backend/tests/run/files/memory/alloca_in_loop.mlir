// test: run
// arg: i32[320] random
// arg: i32[320] zeros
// Every iteration has memory of its own, in the same place: nobody writes while the one before still reads.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = constant <i32: 5> : tile<i32>
    %v3 = constant <i32: 1> : tile<i32>
    for %it in (%v1 to %v2, step %v3) : tile<i32> {
      %v4 = constant <i32: 64> : tile<i32>
      %v5 = muli %it, %v4 : tile<i32>
      %v6 = offset %a, %v5 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v7 = offset %b, %v5 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v8 = alloca num_elem = 64, alignment = 4 : tile<ptr<i32>>
      %v9 = iota : tile<64xi32>
      %v10 = constant <i32: 63> : tile<64xi32>
      %v11 = subi %v10, %v9 : tile<64xi32>
      %v12 = iota : tile<64xi32>
      %v13 = reshape %v6 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %v14 = broadcast %v13 : tile<1xptr<i32>> -> tile<64xptr<i32>>
      %v15 = offset %v14, %v12 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
      %v16, %v17 = load_ptr_tko weak %v15 : tile<64xptr<i32>> -> tile<64xi32>, token
      %v18 = iota : tile<64xi32>
      %v19 = reshape %v8 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %v20 = broadcast %v19 : tile<1xptr<i32>> -> tile<64xptr<i32>>
      %v21 = offset %v20, %v18 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
      %v22 = store_ptr_tko weak %v21, %v16 : tile<64xptr<i32>>, tile<64xi32> -> token
      %v23 = reshape %v8 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %v24 = broadcast %v23 : tile<1xptr<i32>> -> tile<64xptr<i32>>
      %v25 = offset %v24, %v11 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
      %v26, %v27 = load_ptr_tko weak %v25 token=%v22 : tile<64xptr<i32>> -> tile<64xi32>, token
      %v28 = iota : tile<64xi32>
      %v29 = reshape %v7 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %v30 = broadcast %v29 : tile<1xptr<i32>> -> tile<64xptr<i32>>
      %v31 = offset %v30, %v28 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
      %v32 = store_ptr_tko weak %v31, %v26 : tile<64xptr<i32>>, tile<64xi32> -> token
    }
    return
  }
}
