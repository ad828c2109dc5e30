// test: run
// grid: 6 1 1
// arg: i32[768] random
// arg: i32[768] zeros
// arg: i32[1] zeros
// arg: i32[128] zeros
// The last block to count itself adds what all blocks left in memory.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %part: tile<ptr<i32>>, %count: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4, %v5, %v6 = get_num_tile_blocks : tile<i32>
    %v7 = constant <i32: 128> : tile<i32>
    %v8 = muli %v1, %v7 : tile<i32>
    %v9 = offset %a, %v8 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v10 = iota : tile<128xi32>
    %v11 = reshape %v9 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v12 = broadcast %v11 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v13 = offset %v12, %v10 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v14, %v15 = load_ptr_tko weak %v13 : tile<128xptr<i32>> -> tile<128xi32>, token
    %v16 = muli %v1, %v7 : tile<i32>
    %v17 = offset %part, %v16 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v18 = iota : tile<128xi32>
    %v19 = reshape %v17 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v20 = broadcast %v19 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v21 = offset %v20, %v18 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v22 = store_ptr_tko weak %v21, %v14 : tile<128xptr<i32>>, tile<128xi32> -> token
    %v23 = constant <i32: 1> : tile<i32>
    %v24, %v25 = atomic_rmw_tko acq_rel device %count, add, %v23 token=%v22 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %v26 = subi %v4, %v23 : tile<i32>
    %v27 = cmpi equal %v24, %v26, signed : tile<i32> -> tile<i1>
    if %v27 {
      %v28 = constant <i32: 0> : tile<i32>
      %v29 = constant <i32: 0> : tile<128xi32>
      %v30 = for %b in (%v28 to %v4, step %v23) : tile<i32> iter_values(%acc = %v29) -> (tile<128xi32>) {
        %v31 = muli %b, %v7 : tile<i32>
        %v32 = offset %part, %v31 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %v33 = iota : tile<128xi32>
        %v34 = reshape %v32 : tile<ptr<i32>> -> tile<1xptr<i32>>
        %v35 = broadcast %v34 : tile<1xptr<i32>> -> tile<128xptr<i32>>
        %v36 = offset %v35, %v33 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
        %v37, %v38 = load_ptr_tko weak %v36 token=%v25 : tile<128xptr<i32>> -> tile<128xi32>, token
        %v39 = addi %acc, %v37 : tile<128xi32>
        continue %v39 : tile<128xi32>
      }
      %v40 = iota : tile<128xi32>
      %v41 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
      %v42 = broadcast %v41 : tile<1xptr<i32>> -> tile<128xptr<i32>>
      %v43 = offset %v42, %v40 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
      %v44 = store_ptr_tko weak %v43, %v30 : tile<128xptr<i32>>, tile<128xi32> -> token
    }
    return
  }
}
