// test: run
// grid: 6 1 1
// arg: f64[1536] random
// arg: f64[1536] zeros
// 8192 elements of `f64` of the block's own memory, aligned to 8 bytes: a tile is turned around in it.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f64>>, %b: tile<ptr<f64>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 256> : tile<i32>
    %v5 = muli %v1, %v4 : tile<i32>
    %v6 = offset %a, %v5 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v7 = offset %b, %v5 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v8 = alloca num_elem = 8192, alignment = 8 : tile<ptr<f64>>
    %v9 = iota : tile<256xi32>
    %v10 = constant <i32: 255> : tile<256xi32>
    %v11 = subi %v10, %v9 : tile<256xi32>
    %v12 = iota : tile<256xi32>
    %v13 = reshape %v6 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v14 = broadcast %v13 : tile<1xptr<f64>> -> tile<256xptr<f64>>
    %v15 = offset %v14, %v12 : tile<256xptr<f64>>, tile<256xi32> -> tile<256xptr<f64>>
    %v16, %v17 = load_ptr_tko weak %v15 : tile<256xptr<f64>> -> tile<256xf64>, token
    %v18 = iota : tile<256xi32>
    %v19 = reshape %v8 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v20 = broadcast %v19 : tile<1xptr<f64>> -> tile<256xptr<f64>>
    %v21 = offset %v20, %v18 : tile<256xptr<f64>>, tile<256xi32> -> tile<256xptr<f64>>
    %v22 = store_ptr_tko weak %v21, %v16 : tile<256xptr<f64>>, tile<256xf64> -> token
    %v23 = reshape %v8 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v24 = broadcast %v23 : tile<1xptr<f64>> -> tile<256xptr<f64>>
    %v25 = offset %v24, %v11 : tile<256xptr<f64>>, tile<256xi32> -> tile<256xptr<f64>>
    %v26, %v27 = load_ptr_tko weak %v25 token=%v22 : tile<256xptr<f64>> -> tile<256xf64>, token
    %v28 = iota : tile<256xi32>
    %v29 = reshape %v7 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v30 = broadcast %v29 : tile<1xptr<f64>> -> tile<256xptr<f64>>
    %v31 = offset %v30, %v28 : tile<256xptr<f64>>, tile<256xi32> -> tile<256xptr<f64>>
    %v32 = store_ptr_tko weak %v31, %v26 : tile<256xptr<f64>>, tile<256xf64> -> token
    return
  }
}
