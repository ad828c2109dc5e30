// test: run
// arg: f16[256] random
// arg: f16[272] random
// `f16` through pointers: masked, padded; one pointer; fewer pointers than threads.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>) {
    %v1 = iota : tile<256xi32>
    %v2 = reshape %a : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v3 = broadcast %v2 : tile<1xptr<f16>> -> tile<256xptr<f16>>
    %v4 = offset %v3, %v1 : tile<256xptr<f16>>, tile<256xi32> -> tile<256xptr<f16>>
    %v5 = iota : tile<256xi32>
    %v6 = reshape %b : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v7 = broadcast %v6 : tile<1xptr<f16>> -> tile<256xptr<f16>>
    %v8 = offset %v7, %v5 : tile<256xptr<f16>>, tile<256xi32> -> tile<256xptr<f16>>
    %v9 = iota : tile<256xi32>
    %v10 = constant <i32: 200> : tile<256xi32>
    %v11 = cmpi less_than %v9, %v10, signed : tile<256xi32> -> tile<256xi1>
    %v12 = constant <f16: 1.5> : tile<256xf16>
    %v13, %v14 = load_ptr_tko weak %v4, %v11, %v12 : tile<256xptr<f16>>, tile<256xi1>, tile<256xf16> -> tile<256xf16>, token
    %v15 = constant <i32: 7> : tile<256xi32>
    %v16 = constant <i32: 3> : tile<256xi32>
    %v17 = andi %v9, %v15 : tile<256xi32>
    %v18 = cmpi not_equal %v17, %v16, signed : tile<256xi32> -> tile<256xi1>
    %v19 = store_ptr_tko weak %v8, %v13, %v18 : tile<256xptr<f16>>, tile<256xf16>, tile<256xi1> -> token
    %v20 = constant <i32: 256> : tile<i32>
    %v21 = offset %b, %v20 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v22 = constant <i32: 5> : tile<i32>
    %v23 = offset %a, %v22 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v24, %v25 = load_ptr_tko weak %v23 : tile<ptr<f16>> -> tile<f16>, token
    %v26 = store_ptr_tko weak %v21, %v24 : tile<ptr<f16>>, tile<f16> -> token
    %v27 = iota : tile<8xi32>
    %v28 = constant <i32: 264> : tile<8xi32>
    %v29 = addi %v27, %v28 : tile<8xi32>
    %v30 = reshape %a : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v31 = broadcast %v30 : tile<1xptr<f16>> -> tile<8xptr<f16>>
    %v32 = offset %v31, %v27 : tile<8xptr<f16>>, tile<8xi32> -> tile<8xptr<f16>>
    %v33 = reshape %b : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v34 = broadcast %v33 : tile<1xptr<f16>> -> tile<8xptr<f16>>
    %v35 = offset %v34, %v29 : tile<8xptr<f16>>, tile<8xi32> -> tile<8xptr<f16>>
    %v36, %v37 = load_ptr_tko weak %v32 : tile<8xptr<f16>> -> tile<8xf16>, token
    %v38 = store_ptr_tko weak %v35, %v36 : tile<8xptr<f16>>, tile<8xf16> -> token
    return
  }
}
