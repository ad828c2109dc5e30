// test: run
// has: cp.async.wait_group
// grid: 10 1 1
// arg: f16[92160] zeros
// arg: f16[9216] small
// arg: f32[10240] zeros
// A factor that the block wrote before the loop. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f16>>
    %v7 = assume div_by<16>, %b : tile<ptr<f16>>
    %v8 = assume div_by<16>, %c : tile<ptr<f32>>
    %v9 = make_token : token
    %v10 = constant <i32: 9216> : tile<i32>
    %v11 = muli %v1, %v10 : tile<i32>
    %v12 = offset %v6, %v11 : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %v13 = assume div_by<16>, %v12 : tile<ptr<f16>>
    %v14 = iota : tile<32xi32>
    %v15 = reshape %v14 : tile<32xi32> -> tile<32x1xi32>
    %v16 = broadcast %v15 : tile<32x1xi32> -> tile<32x32xi32>
    %v17 = iota : tile<32xi32>
    %v18 = reshape %v17 : tile<32xi32> -> tile<1x32xi32>
    %v19 = broadcast %v18 : tile<1x32xi32> -> tile<32x32xi32>
    %v20 = constant <i32: 288> : tile<32x32xi32>
    %v21 = reshape %v13 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %v22 = broadcast %v21 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
    %v23 = muli %v16, %v20 : tile<32x32xi32>
    %v24 = addi %v23, %v19 : tile<32x32xi32>
    %v25 = offset %v22, %v24 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v26 = constant <i32: 0> : tile<i32>
    %v27 = reshape %v26 : tile<i32> -> tile<1x1xi32>
    %v28 = broadcast %v27 : tile<1x1xi32> -> tile<32x32xi32>
    %v29 = offset %v25, %v28 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v30 = constant <f16: -3.0> : tile<32x32xf16>
    %v31 = store_ptr_tko weak %v29, %v30 token = %v9 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v32 = constant <i32: 32> : tile<i32>
    %v33 = reshape %v32 : tile<i32> -> tile<1x1xi32>
    %v34 = broadcast %v33 : tile<1x1xi32> -> tile<32x32xi32>
    %v35 = offset %v25, %v34 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v36 = constant <f16: -2.0> : tile<32x32xf16>
    %v37 = store_ptr_tko weak %v35, %v36 token = %v31 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v38 = constant <i32: 64> : tile<i32>
    %v39 = reshape %v38 : tile<i32> -> tile<1x1xi32>
    %v40 = broadcast %v39 : tile<1x1xi32> -> tile<32x32xi32>
    %v41 = offset %v25, %v40 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v42 = constant <f16: -1.0> : tile<32x32xf16>
    %v43 = store_ptr_tko weak %v41, %v42 token = %v37 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v44 = constant <i32: 96> : tile<i32>
    %v45 = reshape %v44 : tile<i32> -> tile<1x1xi32>
    %v46 = broadcast %v45 : tile<1x1xi32> -> tile<32x32xi32>
    %v47 = offset %v25, %v46 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v48 = constant <f16: 0.0> : tile<32x32xf16>
    %v49 = store_ptr_tko weak %v47, %v48 token = %v43 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v50 = constant <i32: 128> : tile<i32>
    %v51 = reshape %v50 : tile<i32> -> tile<1x1xi32>
    %v52 = broadcast %v51 : tile<1x1xi32> -> tile<32x32xi32>
    %v53 = offset %v25, %v52 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v54 = constant <f16: 1.0> : tile<32x32xf16>
    %v55 = store_ptr_tko weak %v53, %v54 token = %v49 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v56 = constant <i32: 160> : tile<i32>
    %v57 = reshape %v56 : tile<i32> -> tile<1x1xi32>
    %v58 = broadcast %v57 : tile<1x1xi32> -> tile<32x32xi32>
    %v59 = offset %v25, %v58 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v60 = constant <f16: 2.0> : tile<32x32xf16>
    %v61 = store_ptr_tko weak %v59, %v60 token = %v55 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v62 = constant <i32: 192> : tile<i32>
    %v63 = reshape %v62 : tile<i32> -> tile<1x1xi32>
    %v64 = broadcast %v63 : tile<1x1xi32> -> tile<32x32xi32>
    %v65 = offset %v25, %v64 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v66 = constant <f16: 3.0> : tile<32x32xf16>
    %v67 = store_ptr_tko weak %v65, %v66 token = %v61 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v68 = constant <i32: 224> : tile<i32>
    %v69 = reshape %v68 : tile<i32> -> tile<1x1xi32>
    %v70 = broadcast %v69 : tile<1x1xi32> -> tile<32x32xi32>
    %v71 = offset %v25, %v70 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v72 = constant <f16: 4.0> : tile<32x32xf16>
    %v73 = store_ptr_tko weak %v71, %v72 token = %v67 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v74 = constant <i32: 256> : tile<i32>
    %v75 = reshape %v74 : tile<i32> -> tile<1x1xi32>
    %v76 = broadcast %v75 : tile<1x1xi32> -> tile<32x32xi32>
    %v77 = offset %v25, %v76 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v78 = constant <f16: 5.0> : tile<32x32xf16>
    %v79 = store_ptr_tko weak %v77, %v78 token = %v73 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v80 = iota : tile<32xi32>
    %v81 = reshape %v80 : tile<32xi32> -> tile<32x1xi32>
    %v82 = broadcast %v81 : tile<32x1xi32> -> tile<32x32xi32>
    %v83 = iota : tile<32xi32>
    %v84 = reshape %v83 : tile<32xi32> -> tile<1x32xi32>
    %v85 = broadcast %v84 : tile<1x32xi32> -> tile<32x32xi32>
    %v86 = constant <i32: 32> : tile<32x32xi32>
    %v87 = reshape %v7 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %v88 = broadcast %v87 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
    %v89 = muli %v82, %v86 : tile<32x32xi32>
    %v90 = addi %v89, %v85 : tile<32x32xi32>
    %v91 = offset %v88, %v90 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v92 = constant <f32: 0.0> : tile<32x32xf32>
    %v95 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v93 = %v92) -> (tile<32x32xf32>) {
      %v96 = constant <i32: 32> : tile<i32>
      %v97 = muli %i, %v96 : tile<i32>
      %v98 = reshape %v97 : tile<i32> -> tile<1x1xi32>
      %v99 = broadcast %v98 : tile<1x1xi32> -> tile<32x32xi32>
      %v100 = offset %v25, %v99 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
      %v101, %v102 = load_ptr_tko weak %v100 token = %v79 : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
      %v103 = constant <i32: 1024> : tile<i32>
      %v104 = muli %i, %v103 : tile<i32>
      %v105 = reshape %v104 : tile<i32> -> tile<1x1xi32>
      %v106 = broadcast %v105 : tile<1x1xi32> -> tile<32x32xi32>
      %v107 = offset %v91, %v106 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
      %v108, %v109 = load_ptr_tko weak %v107 token = %v79 : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
      %v110 = mmaf %v101, %v108, %v93 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %v110 : tile<32x32xf32>
    }
    %v111 = constant <i32: 1024> : tile<i32>
    %v112 = muli %v1, %v111 : tile<i32>
    %v113 = offset %v8, %v112 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v114 = iota : tile<32xi32>
    %v115 = reshape %v114 : tile<32xi32> -> tile<32x1xi32>
    %v116 = broadcast %v115 : tile<32x1xi32> -> tile<32x32xi32>
    %v117 = iota : tile<32xi32>
    %v118 = reshape %v117 : tile<32xi32> -> tile<1x32xi32>
    %v119 = broadcast %v118 : tile<1x32xi32> -> tile<32x32xi32>
    %v120 = constant <i32: 32> : tile<32x32xi32>
    %v121 = reshape %v113 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v122 = broadcast %v121 : tile<1x1xptr<f32>> -> tile<32x32xptr<f32>>
    %v123 = muli %v116, %v120 : tile<32x32xi32>
    %v124 = addi %v123, %v119 : tile<32x32xi32>
    %v125 = offset %v122, %v124 : tile<32x32xptr<f32>>, tile<32x32xi32> -> tile<32x32xptr<f32>>
    %v126 = store_ptr_tko weak %v125, %v95 token = %v79 : tile<32x32xptr<f32>>, tile<32x32xf32> -> token
    return
  }
}
