// test: run
// arg: i16[200] random
// arg: i16[256] zeros
// Offsets of every type, with a sign.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i16>>, %b: tile<ptr<i16>>) {
    %v1 = constant <i32: 200> : tile<i32>
    %v2 = offset %a, %v1 : tile<ptr<i16>>, tile<i32> -> tile<ptr<i16>>
    %v3 = iota : tile<64xi8>
    %v4 = constant <i8: -70> : tile<64xi8>
    %v5 = addi %v3, %v4 : tile<64xi8>
    %v6 = reshape %v2 : tile<ptr<i16>> -> tile<1xptr<i16>>
    %v7 = broadcast %v6 : tile<1xptr<i16>> -> tile<64xptr<i16>>
    %v8 = offset %v7, %v5 : tile<64xptr<i16>>, tile<64xi8> -> tile<64xptr<i16>>
    %v9, %v10 = load_ptr_tko weak %v8 : tile<64xptr<i16>> -> tile<64xi16>, token
    %v11 = iota : tile<64xi32>
    %v12 = constant <i32: 0> : tile<64xi32>
    %v13 = addi %v11, %v12 : tile<64xi32>
    %v14 = reshape %b : tile<ptr<i16>> -> tile<1xptr<i16>>
    %v15 = broadcast %v14 : tile<1xptr<i16>> -> tile<64xptr<i16>>
    %v16 = offset %v15, %v13 : tile<64xptr<i16>>, tile<64xi32> -> tile<64xptr<i16>>
    %v17 = store_ptr_tko weak %v16, %v9 : tile<64xptr<i16>>, tile<64xi16> -> token
    %v18 = iota : tile<64xi16>
    %v19 = constant <i16: -70> : tile<64xi16>
    %v20 = addi %v18, %v19 : tile<64xi16>
    %v21 = reshape %v2 : tile<ptr<i16>> -> tile<1xptr<i16>>
    %v22 = broadcast %v21 : tile<1xptr<i16>> -> tile<64xptr<i16>>
    %v23 = offset %v22, %v20 : tile<64xptr<i16>>, tile<64xi16> -> tile<64xptr<i16>>
    %v24, %v25 = load_ptr_tko weak %v23 : tile<64xptr<i16>> -> tile<64xi16>, token
    %v26 = iota : tile<64xi32>
    %v27 = constant <i32: 64> : tile<64xi32>
    %v28 = addi %v26, %v27 : tile<64xi32>
    %v29 = reshape %b : tile<ptr<i16>> -> tile<1xptr<i16>>
    %v30 = broadcast %v29 : tile<1xptr<i16>> -> tile<64xptr<i16>>
    %v31 = offset %v30, %v28 : tile<64xptr<i16>>, tile<64xi32> -> tile<64xptr<i16>>
    %v32 = store_ptr_tko weak %v31, %v24 : tile<64xptr<i16>>, tile<64xi16> -> token
    %v33 = iota : tile<64xi32>
    %v34 = constant <i32: -70> : tile<64xi32>
    %v35 = addi %v33, %v34 : tile<64xi32>
    %v36 = reshape %v2 : tile<ptr<i16>> -> tile<1xptr<i16>>
    %v37 = broadcast %v36 : tile<1xptr<i16>> -> tile<64xptr<i16>>
    %v38 = offset %v37, %v35 : tile<64xptr<i16>>, tile<64xi32> -> tile<64xptr<i16>>
    %v39, %v40 = load_ptr_tko weak %v38 : tile<64xptr<i16>> -> tile<64xi16>, token
    %v41 = iota : tile<64xi32>
    %v42 = constant <i32: 128> : tile<64xi32>
    %v43 = addi %v41, %v42 : tile<64xi32>
    %v44 = reshape %b : tile<ptr<i16>> -> tile<1xptr<i16>>
    %v45 = broadcast %v44 : tile<1xptr<i16>> -> tile<64xptr<i16>>
    %v46 = offset %v45, %v43 : tile<64xptr<i16>>, tile<64xi32> -> tile<64xptr<i16>>
    %v47 = store_ptr_tko weak %v46, %v39 : tile<64xptr<i16>>, tile<64xi16> -> token
    %v48 = iota : tile<64xi64>
    %v49 = constant <i64: -70> : tile<64xi64>
    %v50 = addi %v48, %v49 : tile<64xi64>
    %v51 = reshape %v2 : tile<ptr<i16>> -> tile<1xptr<i16>>
    %v52 = broadcast %v51 : tile<1xptr<i16>> -> tile<64xptr<i16>>
    %v53 = offset %v52, %v50 : tile<64xptr<i16>>, tile<64xi64> -> tile<64xptr<i16>>
    %v54, %v55 = load_ptr_tko weak %v53 : tile<64xptr<i16>> -> tile<64xi16>, token
    %v56 = iota : tile<64xi32>
    %v57 = constant <i32: 192> : tile<64xi32>
    %v58 = addi %v56, %v57 : tile<64xi32>
    %v59 = reshape %b : tile<ptr<i16>> -> tile<1xptr<i16>>
    %v60 = broadcast %v59 : tile<1xptr<i16>> -> tile<64xptr<i16>>
    %v61 = offset %v60, %v58 : tile<64xptr<i16>>, tile<64xi32> -> tile<64xptr<i16>>
    %v62 = store_ptr_tko weak %v61, %v54 : tile<64xptr<i16>>, tile<64xi16> -> token
    return
  }
}
