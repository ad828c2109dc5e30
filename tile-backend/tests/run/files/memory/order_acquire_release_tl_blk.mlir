// test: run
// arg: i32[288] random
// arg: i32[288] zeros
// arg: f16[288] random
// arg: f16[288] zeros
// Loads that are acquire, stores that are release, scope `tl_blk`: many, few and one.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>, %c: tile<ptr<f16>>, %d: tile<ptr<f16>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = offset %a, %v1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v3 = offset %b, %v1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v4 = iota : tile<256xi32>
    %v5 = reshape %v2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v6 = broadcast %v5 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %v7 = offset %v6, %v4 : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %v8 = iota : tile<256xi32>
    %v9 = reshape %v3 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v10 = broadcast %v9 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %v11 = offset %v10, %v8 : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %v12, %v13 = load_ptr_tko acquire tl_blk %v7 : tile<256xptr<i32>> -> tile<256xi32>, token
    %v14 = store_ptr_tko release tl_blk %v11, %v12 token=%v13 : tile<256xptr<i32>>, tile<256xi32> -> token
    %v15 = constant <i32: 256> : tile<i32>
    %v16 = offset %a, %v15 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v17 = offset %b, %v15 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v18 = iota : tile<16xi32>
    %v19 = reshape %v16 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v20 = broadcast %v19 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %v21 = offset %v20, %v18 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %v22 = iota : tile<16xi32>
    %v23 = reshape %v17 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v24 = broadcast %v23 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %v25 = offset %v24, %v22 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %v26, %v27 = load_ptr_tko acquire tl_blk %v21 : tile<16xptr<i32>> -> tile<16xi32>, token
    %v28 = store_ptr_tko release tl_blk %v25, %v26 token=%v27 : tile<16xptr<i32>>, tile<16xi32> -> token
    %v29 = constant <i32: 272> : tile<i32>
    %v30 = offset %a, %v29 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v31 = offset %b, %v29 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v32, %v33 = load_ptr_tko acquire tl_blk %v30 : tile<ptr<i32>> -> tile<i32>, token
    %v34 = store_ptr_tko release tl_blk %v31, %v32 token=%v33 : tile<ptr<i32>>, tile<i32> -> token
    %v35 = constant <i32: 0> : tile<i32>
    %v36 = offset %c, %v35 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v37 = offset %d, %v35 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v38 = iota : tile<256xi32>
    %v39 = reshape %v36 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v40 = broadcast %v39 : tile<1xptr<f16>> -> tile<256xptr<f16>>
    %v41 = offset %v40, %v38 : tile<256xptr<f16>>, tile<256xi32> -> tile<256xptr<f16>>
    %v42 = iota : tile<256xi32>
    %v43 = reshape %v37 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v44 = broadcast %v43 : tile<1xptr<f16>> -> tile<256xptr<f16>>
    %v45 = offset %v44, %v42 : tile<256xptr<f16>>, tile<256xi32> -> tile<256xptr<f16>>
    %v46, %v47 = load_ptr_tko acquire tl_blk %v41 : tile<256xptr<f16>> -> tile<256xf16>, token
    %v48 = store_ptr_tko release tl_blk %v45, %v46 token=%v47 : tile<256xptr<f16>>, tile<256xf16> -> token
    %v49 = constant <i32: 256> : tile<i32>
    %v50 = offset %c, %v49 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v51 = offset %d, %v49 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v52 = iota : tile<16xi32>
    %v53 = reshape %v50 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v54 = broadcast %v53 : tile<1xptr<f16>> -> tile<16xptr<f16>>
    %v55 = offset %v54, %v52 : tile<16xptr<f16>>, tile<16xi32> -> tile<16xptr<f16>>
    %v56 = iota : tile<16xi32>
    %v57 = reshape %v51 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %v58 = broadcast %v57 : tile<1xptr<f16>> -> tile<16xptr<f16>>
    %v59 = offset %v58, %v56 : tile<16xptr<f16>>, tile<16xi32> -> tile<16xptr<f16>>
    %v60, %v61 = load_ptr_tko acquire tl_blk %v55 : tile<16xptr<f16>> -> tile<16xf16>, token
    %v62 = store_ptr_tko release tl_blk %v59, %v60 token=%v61 : tile<16xptr<f16>>, tile<16xf16> -> token
    %v63 = constant <i32: 272> : tile<i32>
    %v64 = offset %c, %v63 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v65 = offset %d, %v63 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v66, %v67 = load_ptr_tko acquire tl_blk %v64 : tile<ptr<f16>> -> tile<f16>, token
    %v68 = store_ptr_tko release tl_blk %v65, %v66 token=%v67 : tile<ptr<f16>>, tile<f16> -> token
    return
  }
}
