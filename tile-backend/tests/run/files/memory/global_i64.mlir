// test: run
// arg: i64[192] zeros
// Variables of `i64`: a constant table, and cells that are stored to and read back by other threads.
cuda_tile.module @kernels {
  global private constant @table <i64: [26, -9, 87, -93, -93, -29, 20, -34, -51, 77, 54, -12, 14, 85, -11, -7, -80, -44, -74, -42, 20, -50, -14, -48, 23, 59, 56, -100, 22, 67, -12, 64, -79, 69, -70, -1, 82, 92, -49, 22, -55, 11, 62, -15, -78, 84, 1, 18, 2, 90, -79, 85, -60, -57, -68, -93, -62, 51, 19, 67, -63, 56, 52, 21]> : tile<64xi64>
  global @cells alignment = 128 <i64: [26, -9, 87, -93, -93, -29, 20, -34, -51, 77, 54, -12, 14, 85, -11, -7, -80, -44, -74, -42, 20, -50, -14, -48, 23, 59, 56, -100, 22, 67, -12, 64, -79, 69, -70, -1, 82, 92, -49, 22, -55, 11, 62, -15, -78, 84, 1, 18, 2, 90, -79, 85, -60, -57, -68, -93, -62, 51, 19, 67, -63, 56, 52, 21]> : tile<64xi64>
  entry @kernel(%b: tile<ptr<i64>>) {
    %v1 = get_global @table : tile<ptr<i64>>
    %v2 = get_global @cells : tile<ptr<i64>>
    %v3 = iota : tile<64xi32>
    %v4 = constant <i32: 63> : tile<64xi32>
    %v5 = subi %v4, %v3 : tile<64xi32>
    %v6 = reshape %v1 : tile<ptr<i64>> -> tile<1xptr<i64>>
    %v7 = broadcast %v6 : tile<1xptr<i64>> -> tile<64xptr<i64>>
    %v8 = offset %v7, %v5 : tile<64xptr<i64>>, tile<64xi32> -> tile<64xptr<i64>>
    %v9 = iota : tile<64xi32>
    %v10 = reshape %v2 : tile<ptr<i64>> -> tile<1xptr<i64>>
    %v11 = broadcast %v10 : tile<1xptr<i64>> -> tile<64xptr<i64>>
    %v12 = offset %v11, %v9 : tile<64xptr<i64>>, tile<64xi32> -> tile<64xptr<i64>>
    %v13, %v14 = load_ptr_tko weak %v8 : tile<64xptr<i64>> -> tile<64xi64>, token
    %v15, %v16 = load_ptr_tko weak %v12 : tile<64xptr<i64>> -> tile<64xi64>, token
    %v17 = store_ptr_tko weak %v12, %v13 token=%v16 : tile<64xptr<i64>>, tile<64xi64> -> token
    %v18 = reshape %v2 : tile<ptr<i64>> -> tile<1xptr<i64>>
    %v19 = broadcast %v18 : tile<1xptr<i64>> -> tile<64xptr<i64>>
    %v20 = offset %v19, %v5 : tile<64xptr<i64>>, tile<64xi32> -> tile<64xptr<i64>>
    %v21, %v22 = load_ptr_tko weak %v20 token=%v17 : tile<64xptr<i64>> -> tile<64xi64>, token
    %v23 = constant <i32: 0> : tile<64xi32>
    %v24 = addi %v3, %v23 : tile<64xi32>
    %v25 = reshape %b : tile<ptr<i64>> -> tile<1xptr<i64>>
    %v26 = broadcast %v25 : tile<1xptr<i64>> -> tile<64xptr<i64>>
    %v27 = offset %v26, %v24 : tile<64xptr<i64>>, tile<64xi32> -> tile<64xptr<i64>>
    %v28 = store_ptr_tko weak %v27, %v13 : tile<64xptr<i64>>, tile<64xi64> -> token
    %v29 = constant <i32: 64> : tile<64xi32>
    %v30 = addi %v3, %v29 : tile<64xi32>
    %v31 = reshape %b : tile<ptr<i64>> -> tile<1xptr<i64>>
    %v32 = broadcast %v31 : tile<1xptr<i64>> -> tile<64xptr<i64>>
    %v33 = offset %v32, %v30 : tile<64xptr<i64>>, tile<64xi32> -> tile<64xptr<i64>>
    %v34 = store_ptr_tko weak %v33, %v15 : tile<64xptr<i64>>, tile<64xi64> -> token
    %v35 = constant <i32: 128> : tile<64xi32>
    %v36 = addi %v3, %v35 : tile<64xi32>
    %v37 = reshape %b : tile<ptr<i64>> -> tile<1xptr<i64>>
    %v38 = broadcast %v37 : tile<1xptr<i64>> -> tile<64xptr<i64>>
    %v39 = offset %v38, %v36 : tile<64xptr<i64>>, tile<64xi32> -> tile<64xptr<i64>>
    %v40 = store_ptr_tko weak %v39, %v21 : tile<64xptr<i64>>, tile<64xi64> -> token
    return
  }
}
