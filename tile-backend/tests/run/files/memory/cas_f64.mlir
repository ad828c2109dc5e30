// test: run
// arg: f64[320] small
// arg: f64[320] small
// arg: f64[320] zeros
// Compare and swap of `f64`; where it is masked off, what it compares with.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f64>>, %c: tile<ptr<f64>>, %old: tile<ptr<f64>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = offset %a, %v1 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v3 = offset %c, %v1 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v4 = offset %old, %v1 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v5 = iota : tile<256xi32>
    %v6 = reshape %v2 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v7 = broadcast %v6 : tile<1xptr<f64>> -> tile<256xptr<f64>>
    %v8 = offset %v7, %v5 : tile<256xptr<f64>>, tile<256xi32> -> tile<256xptr<f64>>
    %v9 = iota : tile<256xi32>
    %v10 = reshape %v3 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v11 = broadcast %v10 : tile<1xptr<f64>> -> tile<256xptr<f64>>
    %v12 = offset %v11, %v9 : tile<256xptr<f64>>, tile<256xi32> -> tile<256xptr<f64>>
    %v13 = iota : tile<256xi32>
    %v14 = reshape %v4 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v15 = broadcast %v14 : tile<1xptr<f64>> -> tile<256xptr<f64>>
    %v16 = offset %v15, %v13 : tile<256xptr<f64>>, tile<256xi32> -> tile<256xptr<f64>>
    %v17, %v18 = load_ptr_tko weak %v12 : tile<256xptr<f64>> -> tile<256xf64>, token
    %v19 = constant <f64: 7.0> : tile<256xf64>
    %v20 = iota : tile<256xi32>
    %v21 = constant <i32: 128> : tile<256xi32>
    %v22 = cmpi less_than %v20, %v21, signed : tile<256xi32> -> tile<256xi1>
    %v23, %v24 = atomic_cas_tko relaxed device %v8, %v17, %v19, %v22 : tile<256xptr<f64>>, tile<256xf64>, tile<256xi1> -> tile<256xf64>, token
    %v25 = store_ptr_tko weak %v16, %v23 : tile<256xptr<f64>>, tile<256xf64> -> token
    %v26 = constant <i32: 256> : tile<i32>
    %v27 = offset %a, %v26 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v28 = offset %c, %v26 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v29 = offset %old, %v26 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v30 = iota : tile<16xi32>
    %v31 = reshape %v27 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v32 = broadcast %v31 : tile<1xptr<f64>> -> tile<16xptr<f64>>
    %v33 = offset %v32, %v30 : tile<16xptr<f64>>, tile<16xi32> -> tile<16xptr<f64>>
    %v34 = iota : tile<16xi32>
    %v35 = reshape %v28 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v36 = broadcast %v35 : tile<1xptr<f64>> -> tile<16xptr<f64>>
    %v37 = offset %v36, %v34 : tile<16xptr<f64>>, tile<16xi32> -> tile<16xptr<f64>>
    %v38 = iota : tile<16xi32>
    %v39 = reshape %v29 : tile<ptr<f64>> -> tile<1xptr<f64>>
    %v40 = broadcast %v39 : tile<1xptr<f64>> -> tile<16xptr<f64>>
    %v41 = offset %v40, %v38 : tile<16xptr<f64>>, tile<16xi32> -> tile<16xptr<f64>>
    %v42, %v43 = load_ptr_tko weak %v37 : tile<16xptr<f64>> -> tile<16xf64>, token
    %v44 = constant <f64: 7.0> : tile<16xf64>
    %v45 = iota : tile<16xi32>
    %v46 = constant <i32: 8> : tile<16xi32>
    %v47 = cmpi less_than %v45, %v46, signed : tile<16xi32> -> tile<16xi1>
    %v48, %v49 = atomic_cas_tko relaxed device %v33, %v42, %v44, %v47 : tile<16xptr<f64>>, tile<16xf64>, tile<16xi1> -> tile<16xf64>, token
    %v50 = store_ptr_tko weak %v41, %v48 : tile<16xptr<f64>>, tile<16xf64> -> token
    %v51 = constant <i32: 288> : tile<i32>
    %v52 = offset %a, %v51 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v53 = offset %c, %v51 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v54 = offset %old, %v51 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %v55, %v56 = load_ptr_tko weak %v53 : tile<ptr<f64>> -> tile<f64>, token
    %v57 = constant <f64: 7.0> : tile<f64>
    %v58, %v59 = atomic_cas_tko relaxed device %v52, %v55, %v57 : tile<ptr<f64>>, tile<f64> -> tile<f64>, token
    %v60 = store_ptr_tko weak %v54, %v58 : tile<ptr<f64>>, tile<f64> -> token
    return
  }
}
