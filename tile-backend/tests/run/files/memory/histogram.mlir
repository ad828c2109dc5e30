// test: run
// grid: 5 1 1
// arg: i32[1280] random
// arg: i32[16] zeros
// Every block counts in memory of its own, then adds what it counted.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %h: tile<ptr<i32>>) {
    %v1 = alloca num_elem = 16, alignment = 4 : tile<ptr<i32>>
    %v2 = constant <i32: 0> : tile<16xi32>
    %v3 = iota : tile<16xi32>
    %v4 = reshape %v1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v5 = broadcast %v4 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %v6 = offset %v5, %v3 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %v7 = store_ptr_tko weak %v6, %v2 : tile<16xptr<i32>>, tile<16xi32> -> token
    %v8, %v9, %v10 = get_tile_block_id : tile<i32>
    %v11 = constant <i32: 256> : tile<i32>
    %v12 = muli %v8, %v11 : tile<i32>
    %v13 = offset %a, %v12 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v14 = iota : tile<256xi32>
    %v15 = reshape %v13 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v16 = broadcast %v15 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %v17 = offset %v16, %v14 : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %v18, %v19 = load_ptr_tko weak %v17 : tile<256xptr<i32>> -> tile<256xi32>, token
    %v20 = constant <i32: 15> : tile<256xi32>
    %v21 = andi %v18, %v20 : tile<256xi32>
    %v22 = constant <i32: 1> : tile<256xi32>
    %v23 = reshape %v1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v24 = broadcast %v23 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %v25 = offset %v24, %v21 : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %v26, %v27 = atomic_rmw_tko relaxed tl_blk %v25, add, %v22 token=%v7 : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %v28 = iota : tile<16xi32>
    %v29 = reshape %v1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v30 = broadcast %v29 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %v31 = offset %v30, %v28 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %v32, %v33 = load_ptr_tko weak %v31 token=%v27 : tile<16xptr<i32>> -> tile<16xi32>, token
    %v34 = iota : tile<16xi32>
    %v35 = reshape %h : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v36 = broadcast %v35 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %v37 = offset %v36, %v34 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %v38, %v39 = atomic_rmw_tko relaxed device %v37, add, %v32 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xi32>, token
    return
  }
}
