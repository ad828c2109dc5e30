// test: run
// arg: tf32[256] random
// arg: tf32[272] random
// `tf32` through pointers: masked, padded; one pointer; fewer pointers than threads.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<tf32>>, %b: tile<ptr<tf32>>) {
    %v1 = iota : tile<256xi32>
    %v2 = reshape %a : tile<ptr<tf32>> -> tile<1xptr<tf32>>
    %v3 = broadcast %v2 : tile<1xptr<tf32>> -> tile<256xptr<tf32>>
    %v4 = offset %v3, %v1 : tile<256xptr<tf32>>, tile<256xi32> -> tile<256xptr<tf32>>
    %v5 = iota : tile<256xi32>
    %v6 = reshape %b : tile<ptr<tf32>> -> tile<1xptr<tf32>>
    %v7 = broadcast %v6 : tile<1xptr<tf32>> -> tile<256xptr<tf32>>
    %v8 = offset %v7, %v5 : tile<256xptr<tf32>>, tile<256xi32> -> tile<256xptr<tf32>>
    %v9 = iota : tile<256xi32>
    %v10 = constant <i32: 200> : tile<256xi32>
    %v11 = cmpi less_than %v9, %v10, signed : tile<256xi32> -> tile<256xi1>
    %v12 = constant <tf32: 1.0> : tile<256xtf32>
    %v13, %v14 = load_ptr_tko weak %v4, %v11, %v12 : tile<256xptr<tf32>>, tile<256xi1>, tile<256xtf32> -> tile<256xtf32>, token
    %v15 = constant <i32: 7> : tile<256xi32>
    %v16 = constant <i32: 3> : tile<256xi32>
    %v17 = andi %v9, %v15 : tile<256xi32>
    %v18 = cmpi not_equal %v17, %v16, signed : tile<256xi32> -> tile<256xi1>
    %v19 = store_ptr_tko weak %v8, %v13, %v18 : tile<256xptr<tf32>>, tile<256xtf32>, tile<256xi1> -> token
    %v20 = constant <i32: 256> : tile<i32>
    %v21 = offset %b, %v20 : tile<ptr<tf32>>, tile<i32> -> tile<ptr<tf32>>
    %v22 = constant <i32: 5> : tile<i32>
    %v23 = offset %a, %v22 : tile<ptr<tf32>>, tile<i32> -> tile<ptr<tf32>>
    %v24, %v25 = load_ptr_tko weak %v23 : tile<ptr<tf32>> -> tile<tf32>, token
    %v26 = store_ptr_tko weak %v21, %v24 : tile<ptr<tf32>>, tile<tf32> -> token
    %v27 = iota : tile<8xi32>
    %v28 = constant <i32: 264> : tile<8xi32>
    %v29 = addi %v27, %v28 : tile<8xi32>
    %v30 = reshape %a : tile<ptr<tf32>> -> tile<1xptr<tf32>>
    %v31 = broadcast %v30 : tile<1xptr<tf32>> -> tile<8xptr<tf32>>
    %v32 = offset %v31, %v27 : tile<8xptr<tf32>>, tile<8xi32> -> tile<8xptr<tf32>>
    %v33 = reshape %b : tile<ptr<tf32>> -> tile<1xptr<tf32>>
    %v34 = broadcast %v33 : tile<1xptr<tf32>> -> tile<8xptr<tf32>>
    %v35 = offset %v34, %v29 : tile<8xptr<tf32>>, tile<8xi32> -> tile<8xptr<tf32>>
    %v36, %v37 = load_ptr_tko weak %v32 : tile<8xptr<tf32>> -> tile<8xtf32>, token
    %v38 = store_ptr_tko weak %v35, %v36 : tile<8xptr<tf32>>, tile<8xtf32> -> token
    return
  }
}
