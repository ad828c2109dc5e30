// test: run
// arg: f16[273] random
// arg: f16[273] random
// arg: f16[273] zeros
// Every update of `f16`, with what memory held: a tile, fewer elements than threads, one.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f16>>, %v: tile<ptr<f16>>, %old: tile<ptr<f16>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = offset %a, %v1 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v3 = offset %v, %v1 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v4 = offset %old, %v1 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v5 = iota : tile<256xi32>
    %v6 = reshape %v2 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v7 = broadcast %v6 : tile<1xptr<f16>> -> tile<256xptr<f16>>
    %v8 = offset %v7, %v5 : tile<256xptr<f16>>, tile<256xi32> -> tile<256xptr<f16>>
    %v9 = iota : tile<256xi32>
    %v10 = reshape %v3 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v11 = broadcast %v10 : tile<1xptr<f16>> -> tile<256xptr<f16>>
    %v12 = offset %v11, %v9 : tile<256xptr<f16>>, tile<256xi32> -> tile<256xptr<f16>>
    %v13 = iota : tile<256xi32>
    %v14 = reshape %v4 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v15 = broadcast %v14 : tile<1xptr<f16>> -> tile<256xptr<f16>>
    %v16 = offset %v15, %v13 : tile<256xptr<f16>>, tile<256xi32> -> tile<256xptr<f16>>
    %v17, %v18 = load_ptr_tko weak %v12 : tile<256xptr<f16>> -> tile<256xf16>, token
    %v19, %v20 = atomic_rmw_tko relaxed device %v8, addf, %v17 : tile<256xptr<f16>>, tile<256xf16> -> tile<256xf16>, token
    %v21 = store_ptr_tko weak %v16, %v19 : tile<256xptr<f16>>, tile<256xf16> -> token
    %v22 = constant <i32: 256> : tile<i32>
    %v23 = offset %a, %v22 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v24 = offset %v, %v22 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v25 = offset %old, %v22 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v26 = iota : tile<16xi32>
    %v27 = reshape %v23 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v28 = broadcast %v27 : tile<1xptr<f16>> -> tile<16xptr<f16>>
    %v29 = offset %v28, %v26 : tile<16xptr<f16>>, tile<16xi32> -> tile<16xptr<f16>>
    %v30 = iota : tile<16xi32>
    %v31 = reshape %v24 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v32 = broadcast %v31 : tile<1xptr<f16>> -> tile<16xptr<f16>>
    %v33 = offset %v32, %v30 : tile<16xptr<f16>>, tile<16xi32> -> tile<16xptr<f16>>
    %v34 = iota : tile<16xi32>
    %v35 = reshape %v25 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v36 = broadcast %v35 : tile<1xptr<f16>> -> tile<16xptr<f16>>
    %v37 = offset %v36, %v34 : tile<16xptr<f16>>, tile<16xi32> -> tile<16xptr<f16>>
    %v38, %v39 = load_ptr_tko weak %v33 : tile<16xptr<f16>> -> tile<16xf16>, token
    %v40, %v41 = atomic_rmw_tko relaxed device %v29, addf, %v38 : tile<16xptr<f16>>, tile<16xf16> -> tile<16xf16>, token
    %v42 = store_ptr_tko weak %v37, %v40 : tile<16xptr<f16>>, tile<16xf16> -> token
    %v43 = constant <i32: 272> : tile<i32>
    %v44 = offset %a, %v43 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v45 = offset %v, %v43 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v46 = offset %old, %v43 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v47, %v48 = load_ptr_tko weak %v45 : tile<ptr<f16>> -> tile<f16>, token
    %v49, %v50 = atomic_rmw_tko relaxed device %v44, addf, %v47 : tile<ptr<f16>>, tile<f16> -> tile<f16>, token
    %v51 = store_ptr_tko weak %v46, %v49 : tile<ptr<f16>>, tile<f16> -> token
    return
  }
}
