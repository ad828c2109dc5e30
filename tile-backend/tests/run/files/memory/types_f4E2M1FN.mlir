// test: run
// arg: f4E2M1FN[256] random
// arg: f4E2M1FN[272] random
// `f4E2M1FN` through pointers: masked, padded; one pointer; fewer pointers than threads.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f4E2M1FN>>, %b: tile<ptr<f4E2M1FN>>) {
    %v1 = iota : tile<256xi32>
    %v2 = reshape %a : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>
    %v3 = broadcast %v2 : tile<1xptr<f4E2M1FN>> -> tile<256xptr<f4E2M1FN>>
    %v4 = offset %v3, %v1 : tile<256xptr<f4E2M1FN>>, tile<256xi32> -> tile<256xptr<f4E2M1FN>>
    %v5 = iota : tile<256xi32>
    %v6 = reshape %b : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>
    %v7 = broadcast %v6 : tile<1xptr<f4E2M1FN>> -> tile<256xptr<f4E2M1FN>>
    %v8 = offset %v7, %v5 : tile<256xptr<f4E2M1FN>>, tile<256xi32> -> tile<256xptr<f4E2M1FN>>
    %v9 = iota : tile<256xi32>
    %v10 = constant <i32: 200> : tile<256xi32>
    %v11 = cmpi less_than %v9, %v10, signed : tile<256xi32> -> tile<256xi1>
    %v12 = constant <f4E2M1FN: 1.0> : tile<256xf4E2M1FN>
    %v13, %v14 = load_ptr_tko weak %v4, %v11, %v12 : tile<256xptr<f4E2M1FN>>, tile<256xi1>, tile<256xf4E2M1FN> -> tile<256xf4E2M1FN>, token
    %v15 = constant <i32: 7> : tile<256xi32>
    %v16 = constant <i32: 3> : tile<256xi32>
    %v17 = andi %v9, %v15 : tile<256xi32>
    %v18 = cmpi not_equal %v17, %v16, signed : tile<256xi32> -> tile<256xi1>
    %v19 = store_ptr_tko weak %v8, %v13, %v18 : tile<256xptr<f4E2M1FN>>, tile<256xf4E2M1FN>, tile<256xi1> -> token
    %v20 = constant <i32: 256> : tile<i32>
    %v21 = offset %b, %v20 : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>
    %v22 = constant <i32: 5> : tile<i32>
    %v23 = offset %a, %v22 : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>
    %v24 = iota : tile<8xi32>
    %v25 = constant <i32: 264> : tile<8xi32>
    %v26 = addi %v24, %v25 : tile<8xi32>
    %v27 = reshape %a : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>
    %v28 = broadcast %v27 : tile<1xptr<f4E2M1FN>> -> tile<8xptr<f4E2M1FN>>
    %v29 = offset %v28, %v24 : tile<8xptr<f4E2M1FN>>, tile<8xi32> -> tile<8xptr<f4E2M1FN>>
    %v30 = reshape %b : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>
    %v31 = broadcast %v30 : tile<1xptr<f4E2M1FN>> -> tile<8xptr<f4E2M1FN>>
    %v32 = offset %v31, %v26 : tile<8xptr<f4E2M1FN>>, tile<8xi32> -> tile<8xptr<f4E2M1FN>>
    %v33, %v34 = load_ptr_tko weak %v29 : tile<8xptr<f4E2M1FN>> -> tile<8xf4E2M1FN>, token
    %v35 = store_ptr_tko weak %v32, %v33 : tile<8xptr<f4E2M1FN>>, tile<8xf4E2M1FN> -> token
    return
  }
}
