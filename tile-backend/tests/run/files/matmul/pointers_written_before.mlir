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
    %v26 = iota : tile<32xi32>
    %v27 = reshape %v26 : tile<32xi32> -> tile<32x1xi32>
    %v28 = broadcast %v27 : tile<32x1xi32> -> tile<32x64xi32>
    %v29 = iota : tile<64xi32>
    %v30 = reshape %v29 : tile<64xi32> -> tile<1x64xi32>
    %v31 = broadcast %v30 : tile<1x64xi32> -> tile<32x64xi32>
    %v32 = constant <i32: 288> : tile<32x64xi32>
    %v33 = reshape %v13 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %v34 = broadcast %v33 : tile<1x1xptr<f16>> -> tile<32x64xptr<f16>>
    %v35 = muli %v28, %v32 : tile<32x64xi32>
    %v36 = addi %v35, %v31 : tile<32x64xi32>
    %v37 = offset %v34, %v36 : tile<32x64xptr<f16>>, tile<32x64xi32> -> tile<32x64xptr<f16>>
    %v38 = constant <i32: 256> : tile<i32>
    %v39 = reshape %v38 : tile<i32> -> tile<1x1xi32>
    %v40 = broadcast %v39 : tile<1x1xi32> -> tile<32x32xi32>
    %v41 = offset %v25, %v40 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v42 = constant <f16: 5.0> : tile<32x32xf16>
    %v43 = store_ptr_tko weak %v41, %v42 token = %v9 : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
    %v44 = constant <i32: 192> : tile<i32>
    %v45 = reshape %v44 : tile<i32> -> tile<1x1xi32>
    %v46 = broadcast %v45 : tile<1x1xi32> -> tile<32x64xi32>
    %v47 = offset %v37, %v46 : tile<32x64xptr<f16>>, tile<32x64xi32> -> tile<32x64xptr<f16>>
    %v48 = constant <f16: 3.0> : tile<32x64xf16>
    %v49 = store_ptr_tko weak %v47, %v48 token = %v43 : tile<32x64xptr<f16>>, tile<32x64xf16> -> token
    %v50 = constant <i32: 128> : tile<i32>
    %v51 = reshape %v50 : tile<i32> -> tile<1x1xi32>
    %v52 = broadcast %v51 : tile<1x1xi32> -> tile<32x64xi32>
    %v53 = offset %v37, %v52 : tile<32x64xptr<f16>>, tile<32x64xi32> -> tile<32x64xptr<f16>>
    %v54 = constant <f16: 1.0> : tile<32x64xf16>
    %v55 = store_ptr_tko weak %v53, %v54 token = %v49 : tile<32x64xptr<f16>>, tile<32x64xf16> -> token
    %v56 = constant <i32: 64> : tile<i32>
    %v57 = reshape %v56 : tile<i32> -> tile<1x1xi32>
    %v58 = broadcast %v57 : tile<1x1xi32> -> tile<32x64xi32>
    %v59 = offset %v37, %v58 : tile<32x64xptr<f16>>, tile<32x64xi32> -> tile<32x64xptr<f16>>
    %v60 = constant <f16: -1.0> : tile<32x64xf16>
    %v61 = store_ptr_tko weak %v59, %v60 token = %v55 : tile<32x64xptr<f16>>, tile<32x64xf16> -> token
    %v62 = constant <i32: 0> : tile<i32>
    %v63 = reshape %v62 : tile<i32> -> tile<1x1xi32>
    %v64 = broadcast %v63 : tile<1x1xi32> -> tile<32x64xi32>
    %v65 = offset %v37, %v64 : tile<32x64xptr<f16>>, tile<32x64xi32> -> tile<32x64xptr<f16>>
    %v66 = constant <f16: -3.0> : tile<32x64xf16>
    %v67 = store_ptr_tko weak %v65, %v66 token = %v61 : tile<32x64xptr<f16>>, tile<32x64xf16> -> token
    %v68 = iota : tile<32xi32>
    %v69 = reshape %v68 : tile<32xi32> -> tile<32x1xi32>
    %v70 = broadcast %v69 : tile<32x1xi32> -> tile<32x32xi32>
    %v71 = iota : tile<32xi32>
    %v72 = reshape %v71 : tile<32xi32> -> tile<1x32xi32>
    %v73 = broadcast %v72 : tile<1x32xi32> -> tile<32x32xi32>
    %v74 = constant <i32: 32> : tile<32x32xi32>
    %v75 = reshape %v7 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %v76 = broadcast %v75 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
    %v77 = muli %v70, %v74 : tile<32x32xi32>
    %v78 = addi %v77, %v73 : tile<32x32xi32>
    %v79 = offset %v76, %v78 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v80 = constant <f32: 0.0> : tile<32x32xf32>
    %v83 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v81 = %v80) -> (tile<32x32xf32>) {
      %v84 = constant <i32: 32> : tile<i32>
      %v85 = muli %i, %v84 : tile<i32>
      %v86 = reshape %v85 : tile<i32> -> tile<1x1xi32>
      %v87 = broadcast %v86 : tile<1x1xi32> -> tile<32x32xi32>
      %v88 = offset %v25, %v87 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
      %v89, %v90 = load_ptr_tko weak %v88 token = %v67 : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
      %v91 = constant <i32: 1024> : tile<i32>
      %v92 = muli %i, %v91 : tile<i32>
      %v93 = reshape %v92 : tile<i32> -> tile<1x1xi32>
      %v94 = broadcast %v93 : tile<1x1xi32> -> tile<32x32xi32>
      %v95 = offset %v79, %v94 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
      %v96, %v97 = load_ptr_tko weak %v95 token = %v67 : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
      %v98 = mmaf %v89, %v96, %v81 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %v98 : tile<32x32xf32>
    }
    %v99 = constant <i32: 1024> : tile<i32>
    %v100 = muli %v1, %v99 : tile<i32>
    %v101 = offset %v8, %v100 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v102 = iota : tile<32xi32>
    %v103 = reshape %v102 : tile<32xi32> -> tile<32x1xi32>
    %v104 = broadcast %v103 : tile<32x1xi32> -> tile<32x32xi32>
    %v105 = iota : tile<32xi32>
    %v106 = reshape %v105 : tile<32xi32> -> tile<1x32xi32>
    %v107 = broadcast %v106 : tile<1x32xi32> -> tile<32x32xi32>
    %v108 = constant <i32: 32> : tile<32x32xi32>
    %v109 = reshape %v101 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v110 = broadcast %v109 : tile<1x1xptr<f32>> -> tile<32x32xptr<f32>>
    %v111 = muli %v104, %v108 : tile<32x32xi32>
    %v112 = addi %v111, %v107 : tile<32x32xi32>
    %v113 = offset %v110, %v112 : tile<32x32xptr<f32>>, tile<32x32xi32> -> tile<32x32xptr<f32>>
    %v114 = store_ptr_tko weak %v113, %v83 token = %v67 : tile<32x32xptr<f32>>, tile<32x32xf32> -> token
    return
  }
}
