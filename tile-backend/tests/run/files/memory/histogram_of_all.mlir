// test: run
// grid: 3 1 1
// arg: i32[1536] random
// arg: i32[8] zeros
// Many elements of one update are the same place.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %h: tile<ptr<i32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 512> : tile<i32>
    %v5 = muli %v1, %v4 : tile<i32>
    %v6 = offset %a, %v5 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v7 = iota : tile<512xi32>
    %v8 = reshape %v6 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v9 = broadcast %v8 : tile<1xptr<i32>> -> tile<512xptr<i32>>
    %v10 = offset %v9, %v7 : tile<512xptr<i32>>, tile<512xi32> -> tile<512xptr<i32>>
    %v11, %v12 = load_ptr_tko weak %v10 : tile<512xptr<i32>> -> tile<512xi32>, token
    %v13 = constant <i32: 7> : tile<512xi32>
    %v14 = andi %v11, %v13 : tile<512xi32>
    %v15 = constant <i32: 1> : tile<512xi32>
    %v16 = reshape %h : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v17 = broadcast %v16 : tile<1xptr<i32>> -> tile<512xptr<i32>>
    %v18 = offset %v17, %v14 : tile<512xptr<i32>>, tile<512xi32> -> tile<512xptr<i32>>
    %v19, %v20 = atomic_rmw_tko relaxed device %v18, add, %v15 : tile<512xptr<i32>>, tile<512xi32> -> tile<512xi32>, token
    return
  }
}
