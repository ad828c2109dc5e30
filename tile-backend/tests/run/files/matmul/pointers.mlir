// test: run
// has: cp.async.wait_group
// conflicts: 0
// grid: 10 1 1
// arg: f16[9216] small
// arg: f16[9216] small
// arg: f32[10240] zeros
// By addresses that the iteration is part of. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f16>>
    %v7 = assume div_by<16>, %b : tile<ptr<f16>>
    %v8 = iota : tile<32xi32>
    %v9 = reshape %v8 : tile<32xi32> -> tile<32x1xi32>
    %v10 = broadcast %v9 : tile<32x1xi32> -> tile<32x32xi32>
    %v11 = iota : tile<32xi32>
    %v12 = reshape %v11 : tile<32xi32> -> tile<1x32xi32>
    %v13 = broadcast %v12 : tile<1x32xi32> -> tile<32x32xi32>
    %v14 = constant <i32: 288> : tile<32x32xi32>
    %v15 = muli %v10, %v14 : tile<32x32xi32>
    %v16 = addi %v15, %v13 : tile<32x32xi32>
    %v17 = reshape %v6 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %v18 = broadcast %v17 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
    %v19 = offset %v18, %v16 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v20 = iota : tile<32xi32>
    %v21 = reshape %v20 : tile<32xi32> -> tile<32x1xi32>
    %v22 = broadcast %v21 : tile<32x1xi32> -> tile<32x32xi32>
    %v23 = iota : tile<32xi32>
    %v24 = reshape %v23 : tile<32xi32> -> tile<1x32xi32>
    %v25 = broadcast %v24 : tile<1x32xi32> -> tile<32x32xi32>
    %v26 = constant <i32: 32> : tile<32x32xi32>
    %v27 = muli %v22, %v26 : tile<32x32xi32>
    %v28 = addi %v27, %v25 : tile<32x32xi32>
    %v29 = reshape %v7 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %v30 = broadcast %v29 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
    %v31 = offset %v30, %v28 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
    %v32 = constant <i32: 32> : tile<i32>
    %v33 = reshape %v32 : tile<i32> -> tile<1x1xi32>
    %v34 = broadcast %v33 : tile<1x1xi32> -> tile<32x32xi32>
    %v35 = constant <i32: 1024> : tile<i32>
    %v36 = reshape %v35 : tile<i32> -> tile<1x1xi32>
    %v37 = broadcast %v36 : tile<1x1xi32> -> tile<32x32xi32>
    %v38 = constant <i32: 288> : tile<i32>
    %v39 = reshape %v38 : tile<i32> -> tile<1x1xi32>
    %v40 = broadcast %v39 : tile<1x1xi32> -> tile<32x32xi32>
    %v41 = constant <i32: 288> : tile<i32>
    %v42 = reshape %v41 : tile<i32> -> tile<1x1xi32>
    %v43 = broadcast %v42 : tile<1x1xi32> -> tile<32x32xi32>
    %v44 = constant <f16: 0.0> : tile<32x32xf16>
    %v45 = constant <f16: 0.0> : tile<32x32xf16>
    %v46 = constant <f32: 0.0> : tile<32x32xf32>
    %v49 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v47 = %v46) -> (tile<32x32xf32>) {
      %v50 = constant <i32: 32> : tile<i32>
      %v51 = muli %i, %v50 : tile<i32>
      %v52 = constant <i32: 32> : tile<i32>
      %v53 = muli %i, %v52 : tile<i32>
      %v54 = reshape %v53 : tile<i32> -> tile<1x1xi32>
      %v55 = broadcast %v54 : tile<1x1xi32> -> tile<32x32xi32>
      %v56 = offset %v19, %v55 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
      %v57, %v58 = load_ptr_tko weak %v56 : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
      %v59 = constant <i32: 32> : tile<i32>
      %v60 = muli %i, %v59 : tile<i32>
      %v61 = constant <i32: 1024> : tile<i32>
      %v62 = muli %i, %v61 : tile<i32>
      %v63 = reshape %v62 : tile<i32> -> tile<1x1xi32>
      %v64 = broadcast %v63 : tile<1x1xi32> -> tile<32x32xi32>
      %v65 = offset %v31, %v64 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
      %v66, %v67 = load_ptr_tko weak %v65 : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
      %v68 = mmaf %v57, %v66, %v47 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %v68 : tile<32x32xf32>
    }
    %v69 = assume div_by<16>, %c : tile<ptr<f32>>
    %v70 = make_tensor_view %v69, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xf32, strides=[32, 1]>
    %v71 = make_partition_view %v70 : partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>
    %v72 = store_view_tko weak %v49, %v71[%v1, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
