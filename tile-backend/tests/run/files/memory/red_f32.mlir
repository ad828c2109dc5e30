// test: run
// arg: f32[1536] random
// arg: f32[1536] random
// Updates of `f32` whose results nobody uses, under masks: reductions, in vectors where addresses allow it.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %v: tile<ptr<f32>>) {
    %v1 = constant <i32: 0> : tile<i32>
    %v2 = assume div_by<16>, %a : tile<ptr<f32>>
    %v3 = offset %v2, %v1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v4 = offset %v, %v1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v5 = iota : tile<512xi32>
    %v6 = reshape %v3 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v7 = broadcast %v6 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %v8 = offset %v7, %v5 : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %v9 = iota : tile<512xi32>
    %v10 = reshape %v4 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v11 = broadcast %v10 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %v12 = offset %v11, %v9 : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %v13, %v14 = load_ptr_tko weak %v12 : tile<512xptr<f32>> -> tile<512xf32>, token
    %v15 = iota : tile<512xi32>
    %v16 = constant <i32: 4> : tile<512xi32>
    %v17 = cmpi greater_than_or_equal %v15, %v16, signed : tile<512xi32> -> tile<512xi1>
    %v18, %v19 = atomic_rmw_tko relaxed device %v8, addf, %v13, %v17 : tile<512xptr<f32>>, tile<512xf32>, tile<512xi1> -> tile<512xf32>, token
    %v20 = constant <i32: 512> : tile<i32>
    %v21 = assume div_by<16>, %a : tile<ptr<f32>>
    %v22 = offset %v21, %v20 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v23 = offset %v, %v20 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v24 = iota : tile<16xi32>
    %v25 = reshape %v22 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v26 = broadcast %v25 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v27 = offset %v26, %v24 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v28 = iota : tile<16xi32>
    %v29 = reshape %v23 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v30 = broadcast %v29 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v31 = offset %v30, %v28 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v32, %v33 = load_ptr_tko weak %v31 : tile<16xptr<f32>> -> tile<16xf32>, token
    %v34 = iota : tile<16xi32>
    %v35 = constant <i32: 4> : tile<16xi32>
    %v36 = cmpi greater_than_or_equal %v34, %v35, signed : tile<16xi32> -> tile<16xi1>
    %v37, %v38 = atomic_rmw_tko relaxed device %v27, addf, %v32, %v36 : tile<16xptr<f32>>, tile<16xf32>, tile<16xi1> -> tile<16xf32>, token
    %v39 = constant <i32: 1024> : tile<i32>
    %v40 = assume div_by<16>, %a : tile<ptr<f32>>
    %v41 = offset %v40, %v39 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v42 = offset %v, %v39 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v43, %v44 = load_ptr_tko weak %v42 : tile<ptr<f32>> -> tile<f32>, token
    %v45, %v46 = atomic_rmw_tko relaxed device %v41, addf, %v43 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    return
  }
}
