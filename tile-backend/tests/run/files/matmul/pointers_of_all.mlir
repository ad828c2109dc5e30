// test: run
// has: cp.async.wait_group
// grid: 10 1 1
// arg: f16[9216] small
// arg: f16[9216] small
// arg: f32[10240] zeros
// The result goes to memory by addresses too, which may be that of the factors for all that is
// known. The loop writes nothing. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f16>>
    %v7 = assume div_by<16>, %b : tile<ptr<f16>>
    %v8 = assume div_by<16>, %c : tile<ptr<f32>>
    %v9 = make_token : token
    %v10 = iota : tile<32xi32>
    %v11 = reshape %v10 : tile<32xi32> -> tile<32x1xi32>
    %v12 = broadcast %v11 : tile<32x1xi32> -> tile<32x32xi32>
    %v13 = iota : tile<32xi32>
    %v14 = reshape %v13 : tile<32xi32> -> tile<1x32xi32>
    %v15 = broadcast %v14 : tile<1x32xi32> -> tile<32x32xi32>
    %v16 = constant <i32: 288> : tile<32x32xi32>
    %v17 = reshape %v6 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %v18 = broadcast %v17 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
    %v19 = muli %v12, %v16 : tile<32x32xi32>
    %v20 = addi %v19, %v15 : tile<32x32xi32>
    %v21 = offset %v18, %v20 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v22 = iota : tile<32xi32>
    %v23 = reshape %v22 : tile<32xi32> -> tile<32x1xi32>
    %v24 = broadcast %v23 : tile<32x1xi32> -> tile<32x32xi32>
    %v25 = iota : tile<32xi32>
    %v26 = reshape %v25 : tile<32xi32> -> tile<1x32xi32>
    %v27 = broadcast %v26 : tile<1x32xi32> -> tile<32x32xi32>
    %v28 = constant <i32: 32> : tile<32x32xi32>
    %v29 = reshape %v7 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %v30 = broadcast %v29 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
    %v31 = muli %v24, %v28 : tile<32x32xi32>
    %v32 = addi %v31, %v27 : tile<32x32xi32>
    %v33 = offset %v30, %v32 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v34 = constant <f32: 0.0> : tile<32x32xf32>
    %v37 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v35 = %v34) -> (tile<32x32xf32>) {
      %v38 = constant <i32: 32> : tile<i32>
      %v39 = muli %i, %v38 : tile<i32>
      %v40 = reshape %v39 : tile<i32> -> tile<1x1xi32>
      %v41 = broadcast %v40 : tile<1x1xi32> -> tile<32x32xi32>
      %v42 = offset %v21, %v41 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
      %v43, %v44 = load_ptr_tko weak %v42 token = %v9 : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
      %v45 = constant <i32: 1024> : tile<i32>
      %v46 = muli %i, %v45 : tile<i32>
      %v47 = reshape %v46 : tile<i32> -> tile<1x1xi32>
      %v48 = broadcast %v47 : tile<1x1xi32> -> tile<32x32xi32>
      %v49 = offset %v33, %v48 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
      %v50, %v51 = load_ptr_tko weak %v49 token = %v9 : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
      %v52 = mmaf %v43, %v50, %v35 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %v52 : tile<32x32xf32>
    }
    %v53 = constant <i32: 1024> : tile<i32>
    %v54 = muli %v1, %v53 : tile<i32>
    %v55 = offset %v8, %v54 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v56 = iota : tile<32xi32>
    %v57 = reshape %v56 : tile<32xi32> -> tile<32x1xi32>
    %v58 = broadcast %v57 : tile<32x1xi32> -> tile<32x32xi32>
    %v59 = iota : tile<32xi32>
    %v60 = reshape %v59 : tile<32xi32> -> tile<1x32xi32>
    %v61 = broadcast %v60 : tile<1x32xi32> -> tile<32x32xi32>
    %v62 = constant <i32: 32> : tile<32x32xi32>
    %v63 = reshape %v55 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v64 = broadcast %v63 : tile<1x1xptr<f32>> -> tile<32x32xptr<f32>>
    %v65 = muli %v58, %v62 : tile<32x32xi32>
    %v66 = addi %v65, %v61 : tile<32x32xi32>
    %v67 = offset %v64, %v66 : tile<32x32xptr<f32>>, tile<32x32xi32> -> tile<32x32xptr<f32>>
    %v68 = store_ptr_tko weak %v67, %v37 token = %v9 : tile<32x32xptr<f32>>, tile<32x32xf32> -> token
    return
  }
}
