// test: run
// grid: 6 1 1
// arg: i8[384] random
// arg: i8[384] zeros
// 100 elements of `i8` of the block's own memory, aligned to 1 bytes: a tile is turned around in it.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 64> : tile<i32>
    %v5 = muli %v1, %v4 : tile<i32>
    %v6 = offset %a, %v5 : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %v7 = offset %b, %v5 : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %v8 = alloca num_elem = 100, alignment = 1 : tile<ptr<i8>>
    %v9 = iota : tile<64xi32>
    %v10 = constant <i32: 63> : tile<64xi32>
    %v11 = subi %v10, %v9 : tile<64xi32>
    %v12 = iota : tile<64xi32>
    %v13 = reshape %v6 : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v14 = broadcast %v13 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v15 = offset %v14, %v12 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v16, %v17 = load_ptr_tko weak %v15 : tile<64xptr<i8>> -> tile<64xi8>, token
    %v18 = iota : tile<64xi32>
    %v19 = reshape %v8 : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v20 = broadcast %v19 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v21 = offset %v20, %v18 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v22 = store_ptr_tko weak %v21, %v16 : tile<64xptr<i8>>, tile<64xi8> -> token
    %v23 = reshape %v8 : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v24 = broadcast %v23 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v25 = offset %v24, %v11 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v26, %v27 = load_ptr_tko weak %v25 token=%v22 : tile<64xptr<i8>> -> tile<64xi8>, token
    %v28 = iota : tile<64xi32>
    %v29 = reshape %v7 : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v30 = broadcast %v29 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v31 = offset %v30, %v28 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v32 = store_ptr_tko weak %v31, %v26 : tile<64xptr<i8>>, tile<64xi8> -> token
    return
  }
}
