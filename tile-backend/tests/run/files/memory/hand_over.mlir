// test: run
// grid: 6 1 1
// arg: i32[6] zeros
// arg: i32[896] random
// Each block waits for the flag of the one before, turns its tile around, and raises its own flag.
cuda_tile.module @kernels {
  entry @kernel(%flags: tile<ptr<i32>>, %data: tile<ptr<i32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = make_token : token
    %v7 = cmpi equal %v1, %v4, signed : tile<i32> -> tile<i1>
    %v8 = if %v7 -> (token) {
      yield %v6 : token
    } else {
      %v9 = subi %v1, %v5 : tile<i32>
      %v10 = offset %flags, %v9 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v11 = constant <i32: 0> : tile<i32>
      %v12 = loop iter_values(%fk = %v6) : token -> token {
        %v13, %v14 = load_ptr_tko acquire device %v10 token=%fk : tile<ptr<i32>> -> tile<i32>, token
        %v15 = cmpi not_equal %v13, %v11, signed : tile<i32> -> tile<i1>
        if %v15 {
          break %v14 : token
        }
        continue %v14 : token
      }
      yield %v12 : token
    }
    %v16 = constant <i32: 128> : tile<i32>
    %v17 = muli %v1, %v16 : tile<i32>
    %v18 = offset %data, %v17 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v19 = addi %v17, %v16 : tile<i32>
    %v20 = offset %data, %v19 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v21 = iota : tile<128xi32>
    %v22 = constant <i32: 127> : tile<128xi32>
    %v23 = subi %v22, %v21 : tile<128xi32>
    %v24 = reshape %v18 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v25 = broadcast %v24 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v26 = offset %v25, %v23 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v27, %v28 = load_ptr_tko weak %v26 token=%v8 : tile<128xptr<i32>> -> tile<128xi32>, token
    %v29 = addi %v27, %v21 : tile<128xi32>
    %v30 = iota : tile<128xi32>
    %v31 = reshape %v20 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v32 = broadcast %v31 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v33 = offset %v32, %v30 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v34 = store_ptr_tko weak %v33, %v29 token=%v28 : tile<128xptr<i32>>, tile<128xi32> -> token
    %v35 = offset %flags, %v1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v36 = store_ptr_tko release device %v35, %v5 token=%v34 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
