// test: run
// arg: f8E4M3FN[192] zeros
// Variables of `f8E4M3FN`: a constant table, and cells that are stored to and read back by other threads.
cuda_tile.module @kernels {
  global private constant @table <f8E4M3FN: [-1.0, -3.0, 1.0, -3.0, 2.0, 2.0, 2.0, -1.0, -1.0, 8.0, 1.0, -1.0, -3.0, 0.5, 2.0, 1.0, 1.5, -4.0, -3.0, -3.0, 1.5, 0.5, -1.0, 0.5, -1.0, -3.0, 1.0, 2.0, -1.0, -3.0, -3.0, -1.0, -1.0, -1.0, 1.0, 2.0, -3.0, 1.0, -1.0, 0.5, -3.0, -1.0, 1.0, -1.0, -3.0, 8.0, 2.0, 2.0, 1.0, 1.0, 1.5, -3.0, -4.0, 1.5, -3.0, 1.0, -4.0, 2.0, -1.0, -1.0, 8.0, 0.5, 1.5, 0.5]> : tile<64xf8E4M3FN>
  global @cells alignment = 128 <f8E4M3FN: [-1.0, -3.0, 1.0, -3.0, 2.0, 2.0, 2.0, -1.0, -1.0, 8.0, 1.0, -1.0, -3.0, 0.5, 2.0, 1.0, 1.5, -4.0, -3.0, -3.0, 1.5, 0.5, -1.0, 0.5, -1.0, -3.0, 1.0, 2.0, -1.0, -3.0, -3.0, -1.0, -1.0, -1.0, 1.0, 2.0, -3.0, 1.0, -1.0, 0.5, -3.0, -1.0, 1.0, -1.0, -3.0, 8.0, 2.0, 2.0, 1.0, 1.0, 1.5, -3.0, -4.0, 1.5, -3.0, 1.0, -4.0, 2.0, -1.0, -1.0, 8.0, 0.5, 1.5, 0.5]> : tile<64xf8E4M3FN>
  entry @kernel(%b: tile<ptr<f8E4M3FN>>) {
    %v1 = get_global @table : tile<ptr<f8E4M3FN>>
    %v2 = get_global @cells : tile<ptr<f8E4M3FN>>
    %v3 = iota : tile<64xi32>
    %v4 = constant <i32: 63> : tile<64xi32>
    %v5 = subi %v4, %v3 : tile<64xi32>
    %v6 = reshape %v1 : tile<ptr<f8E4M3FN>> -> tile<1xptr<f8E4M3FN>>
    %v7 = broadcast %v6 : tile<1xptr<f8E4M3FN>> -> tile<64xptr<f8E4M3FN>>
    %v8 = offset %v7, %v5 : tile<64xptr<f8E4M3FN>>, tile<64xi32> -> tile<64xptr<f8E4M3FN>>
    %v9 = iota : tile<64xi32>
    %v10 = reshape %v2 : tile<ptr<f8E4M3FN>> -> tile<1xptr<f8E4M3FN>>
    %v11 = broadcast %v10 : tile<1xptr<f8E4M3FN>> -> tile<64xptr<f8E4M3FN>>
    %v12 = offset %v11, %v9 : tile<64xptr<f8E4M3FN>>, tile<64xi32> -> tile<64xptr<f8E4M3FN>>
    %v13, %v14 = load_ptr_tko weak %v8 : tile<64xptr<f8E4M3FN>> -> tile<64xf8E4M3FN>, token
    %v15, %v16 = load_ptr_tko weak %v12 : tile<64xptr<f8E4M3FN>> -> tile<64xf8E4M3FN>, token
    %v17 = store_ptr_tko weak %v12, %v13 token=%v16 : tile<64xptr<f8E4M3FN>>, tile<64xf8E4M3FN> -> token
    %v18 = reshape %v2 : tile<ptr<f8E4M3FN>> -> tile<1xptr<f8E4M3FN>>
    %v19 = broadcast %v18 : tile<1xptr<f8E4M3FN>> -> tile<64xptr<f8E4M3FN>>
    %v20 = offset %v19, %v5 : tile<64xptr<f8E4M3FN>>, tile<64xi32> -> tile<64xptr<f8E4M3FN>>
    %v21, %v22 = load_ptr_tko weak %v20 token=%v17 : tile<64xptr<f8E4M3FN>> -> tile<64xf8E4M3FN>, token
    %v23 = constant <i32: 0> : tile<64xi32>
    %v24 = addi %v3, %v23 : tile<64xi32>
    %v25 = reshape %b : tile<ptr<f8E4M3FN>> -> tile<1xptr<f8E4M3FN>>
    %v26 = broadcast %v25 : tile<1xptr<f8E4M3FN>> -> tile<64xptr<f8E4M3FN>>
    %v27 = offset %v26, %v24 : tile<64xptr<f8E4M3FN>>, tile<64xi32> -> tile<64xptr<f8E4M3FN>>
    %v28 = store_ptr_tko weak %v27, %v13 : tile<64xptr<f8E4M3FN>>, tile<64xf8E4M3FN> -> token
    %v29 = constant <i32: 64> : tile<64xi32>
    %v30 = addi %v3, %v29 : tile<64xi32>
    %v31 = reshape %b : tile<ptr<f8E4M3FN>> -> tile<1xptr<f8E4M3FN>>
    %v32 = broadcast %v31 : tile<1xptr<f8E4M3FN>> -> tile<64xptr<f8E4M3FN>>
    %v33 = offset %v32, %v30 : tile<64xptr<f8E4M3FN>>, tile<64xi32> -> tile<64xptr<f8E4M3FN>>
    %v34 = store_ptr_tko weak %v33, %v15 : tile<64xptr<f8E4M3FN>>, tile<64xf8E4M3FN> -> token
    %v35 = constant <i32: 128> : tile<64xi32>
    %v36 = addi %v3, %v35 : tile<64xi32>
    %v37 = reshape %b : tile<ptr<f8E4M3FN>> -> tile<1xptr<f8E4M3FN>>
    %v38 = broadcast %v37 : tile<1xptr<f8E4M3FN>> -> tile<64xptr<f8E4M3FN>>
    %v39 = offset %v38, %v36 : tile<64xptr<f8E4M3FN>>, tile<64xi32> -> tile<64xptr<f8E4M3FN>>
    %v40 = store_ptr_tko weak %v39, %v21 : tile<64xptr<f8E4M3FN>>, tile<64xf8E4M3FN> -> token
    return
  }
}
