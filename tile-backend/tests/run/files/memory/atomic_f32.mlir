// test: run
// arg: f32[546] random
// arg: f32[546] random
// arg: f32[546] zeros
// Every update of `f32`, with what memory held: a tile, fewer elements than threads, one.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %v: tile<ptr<f32>>, %old: tile<ptr<f32>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = offset %a, %v1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v3 = offset %v, %v1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v4 = offset %old, %v1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v5 = iota : tile<256xi32>
    %v6 = reshape %v2 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v7 = broadcast %v6 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v8 = offset %v7, %v5 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v9 = iota : tile<256xi32>
    %v10 = reshape %v3 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v11 = broadcast %v10 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v12 = offset %v11, %v9 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v13 = iota : tile<256xi32>
    %v14 = reshape %v4 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v15 = broadcast %v14 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v16 = offset %v15, %v13 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v17, %v18 = load_ptr_tko weak %v12 : tile<256xptr<f32>> -> tile<256xf32>, token
    %v19, %v20 = atomic_rmw_tko relaxed device %v8, addf, %v17 : tile<256xptr<f32>>, tile<256xf32> -> tile<256xf32>, token
    %v21 = store_ptr_tko weak %v16, %v19 : tile<256xptr<f32>>, tile<256xf32> -> token
    %v22 = constant <i32: 256> : tile<i32>
    %v23 = offset %a, %v22 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v24 = offset %v, %v22 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v25 = offset %old, %v22 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v26 = iota : tile<16xi32>
    %v27 = reshape %v23 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v28 = broadcast %v27 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v29 = offset %v28, %v26 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v30 = iota : tile<16xi32>
    %v31 = reshape %v24 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v32 = broadcast %v31 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v33 = offset %v32, %v30 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v34 = iota : tile<16xi32>
    %v35 = reshape %v25 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v36 = broadcast %v35 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v37 = offset %v36, %v34 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v38, %v39 = load_ptr_tko weak %v33 : tile<16xptr<f32>> -> tile<16xf32>, token
    %v40, %v41 = atomic_rmw_tko relaxed device %v29, addf, %v38 : tile<16xptr<f32>>, tile<16xf32> -> tile<16xf32>, token
    %v42 = store_ptr_tko weak %v37, %v40 : tile<16xptr<f32>>, tile<16xf32> -> token
    %v43 = constant <i32: 272> : tile<i32>
    %v44 = offset %a, %v43 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v45 = offset %v, %v43 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v46 = offset %old, %v43 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v47, %v48 = load_ptr_tko weak %v45 : tile<ptr<f32>> -> tile<f32>, token
    %v49, %v50 = atomic_rmw_tko relaxed device %v44, addf, %v47 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %v51 = store_ptr_tko weak %v46, %v49 : tile<ptr<f32>>, tile<f32> -> token
    %v52 = constant <i32: 273> : tile<i32>
    %v53 = offset %a, %v52 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v54 = offset %v, %v52 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v55 = offset %old, %v52 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v56 = iota : tile<256xi32>
    %v57 = reshape %v53 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v58 = broadcast %v57 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v59 = offset %v58, %v56 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v60 = iota : tile<256xi32>
    %v61 = reshape %v54 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v62 = broadcast %v61 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v63 = offset %v62, %v60 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v64 = iota : tile<256xi32>
    %v65 = reshape %v55 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v66 = broadcast %v65 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %v67 = offset %v66, %v64 : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v68, %v69 = load_ptr_tko weak %v63 : tile<256xptr<f32>> -> tile<256xf32>, token
    %v70, %v71 = atomic_rmw_tko relaxed device %v59, xchg, %v68 : tile<256xptr<f32>>, tile<256xf32> -> tile<256xf32>, token
    %v72 = store_ptr_tko weak %v67, %v70 : tile<256xptr<f32>>, tile<256xf32> -> token
    %v73 = constant <i32: 529> : tile<i32>
    %v74 = offset %a, %v73 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v75 = offset %v, %v73 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v76 = offset %old, %v73 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v77 = iota : tile<16xi32>
    %v78 = reshape %v74 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v79 = broadcast %v78 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v80 = offset %v79, %v77 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v81 = iota : tile<16xi32>
    %v82 = reshape %v75 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v83 = broadcast %v82 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v84 = offset %v83, %v81 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v85 = iota : tile<16xi32>
    %v86 = reshape %v76 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v87 = broadcast %v86 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v88 = offset %v87, %v85 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v89, %v90 = load_ptr_tko weak %v84 : tile<16xptr<f32>> -> tile<16xf32>, token
    %v91, %v92 = atomic_rmw_tko relaxed device %v80, xchg, %v89 : tile<16xptr<f32>>, tile<16xf32> -> tile<16xf32>, token
    %v93 = store_ptr_tko weak %v88, %v91 : tile<16xptr<f32>>, tile<16xf32> -> token
    %v94 = constant <i32: 545> : tile<i32>
    %v95 = offset %a, %v94 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v96 = offset %v, %v94 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v97 = offset %old, %v94 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v98, %v99 = load_ptr_tko weak %v96 : tile<ptr<f32>> -> tile<f32>, token
    %v100, %v101 = atomic_rmw_tko relaxed device %v95, xchg, %v98 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %v102 = store_ptr_tko weak %v97, %v100 : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
