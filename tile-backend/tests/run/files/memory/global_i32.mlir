// test: run
// arg: i32[192] zeros
// Variables of `i32`: a constant table, and cells that are stored to and read back by other threads.
cuda_tile.module @kernels {
  global private constant @table <i32: [57, -4, -62, 62, -36, -12, 54, -7, 21, -69, -71, 24, 19, 22, 23, -21, -79, -64, -74, 91, -13, 89, -33, 22, 77, -59, 32, -95, -48, 35, -8, -63, 76, 39, -94, 94, 35, -24, 64, -77, 78, -34, 32, -7, -58, -9, 97, -43, 36, 38, 99, 28, -16, 62, -43, 56, 94, -51, -39, 2, 89, -42, -49, 32]> : tile<64xi32>
  global @cells alignment = 128 <i32: [57, -4, -62, 62, -36, -12, 54, -7, 21, -69, -71, 24, 19, 22, 23, -21, -79, -64, -74, 91, -13, 89, -33, 22, 77, -59, 32, -95, -48, 35, -8, -63, 76, 39, -94, 94, 35, -24, 64, -77, 78, -34, 32, -7, -58, -9, 97, -43, 36, 38, 99, 28, -16, 62, -43, 56, 94, -51, -39, 2, 89, -42, -49, 32]> : tile<64xi32>
  entry @kernel(%b: tile<ptr<i32>>) {
    %v1 = get_global @table : tile<ptr<i32>>
    %v2 = get_global @cells : tile<ptr<i32>>
    %v3 = iota : tile<64xi32>
    %v4 = constant <i32: 63> : tile<64xi32>
    %v5 = subi %v4, %v3 : tile<64xi32>
    %v6 = reshape %v1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v7 = broadcast %v6 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v8 = offset %v7, %v5 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v9 = iota : tile<64xi32>
    %v10 = reshape %v2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v11 = broadcast %v10 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v12 = offset %v11, %v9 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v13, %v14 = load_ptr_tko weak %v8 : tile<64xptr<i32>> -> tile<64xi32>, token
    %v15, %v16 = load_ptr_tko weak %v12 : tile<64xptr<i32>> -> tile<64xi32>, token
    %v17 = store_ptr_tko weak %v12, %v13 token=%v16 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v18 = reshape %v2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v19 = broadcast %v18 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v20 = offset %v19, %v5 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v21, %v22 = load_ptr_tko weak %v20 token=%v17 : tile<64xptr<i32>> -> tile<64xi32>, token
    %v23 = constant <i32: 0> : tile<64xi32>
    %v24 = addi %v3, %v23 : tile<64xi32>
    %v25 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v26 = broadcast %v25 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v27 = offset %v26, %v24 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v28 = store_ptr_tko weak %v27, %v13 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v29 = constant <i32: 64> : tile<64xi32>
    %v30 = addi %v3, %v29 : tile<64xi32>
    %v31 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v32 = broadcast %v31 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v33 = offset %v32, %v30 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v34 = store_ptr_tko weak %v33, %v15 : tile<64xptr<i32>>, tile<64xi32> -> token
    %v35 = constant <i32: 128> : tile<64xi32>
    %v36 = addi %v3, %v35 : tile<64xi32>
    %v37 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v38 = broadcast %v37 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %v39 = offset %v38, %v36 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v40 = store_ptr_tko weak %v39, %v21 : tile<64xptr<i32>>, tile<64xi32> -> token
    return
  }
}
