// test: run
// arg: i8[192] zeros
// Variables of `i8`: a constant table, and cells that are stored to and read back by other threads.
cuda_tile.module @kernels {
  global private constant @table <i8: [71, -81, 95, 42, 46, -20, -13, 77, -11, 52, 27, 48, 16, -83, -77, -31, 21, 78, 70, -84, -85, 87, 79, -21, 65, 47, 74, 14, -28, 83, -2, 71, -12, -95, 18, -10, -57, 56, -71, 26, -85, -45, 96, -27, -67, 89, -37, 1, 0, 27, -80, -58, 14, 2, 40, -29, -65, 10, 40, -29, 80, 6, -9, 74]> : tile<64xi8>
  global @cells alignment = 128 <i8: [71, -81, 95, 42, 46, -20, -13, 77, -11, 52, 27, 48, 16, -83, -77, -31, 21, 78, 70, -84, -85, 87, 79, -21, 65, 47, 74, 14, -28, 83, -2, 71, -12, -95, 18, -10, -57, 56, -71, 26, -85, -45, 96, -27, -67, 89, -37, 1, 0, 27, -80, -58, 14, 2, 40, -29, -65, 10, 40, -29, 80, 6, -9, 74]> : tile<64xi8>
  entry @kernel(%b: tile<ptr<i8>>) {
    %v1 = get_global @table : tile<ptr<i8>>
    %v2 = get_global @cells : tile<ptr<i8>>
    %v3 = iota : tile<64xi32>
    %v4 = constant <i32: 63> : tile<64xi32>
    %v5 = subi %v4, %v3 : tile<64xi32>
    %v6 = reshape %v1 : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v7 = broadcast %v6 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v8 = offset %v7, %v5 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v9 = iota : tile<64xi32>
    %v10 = reshape %v2 : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v11 = broadcast %v10 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v12 = offset %v11, %v9 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v13, %v14 = load_ptr_tko weak %v8 : tile<64xptr<i8>> -> tile<64xi8>, token
    %v15, %v16 = load_ptr_tko weak %v12 : tile<64xptr<i8>> -> tile<64xi8>, token
    %v17 = store_ptr_tko weak %v12, %v13 token=%v16 : tile<64xptr<i8>>, tile<64xi8> -> token
    %v18 = reshape %v2 : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v19 = broadcast %v18 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v20 = offset %v19, %v5 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v21, %v22 = load_ptr_tko weak %v20 token=%v17 : tile<64xptr<i8>> -> tile<64xi8>, token
    %v23 = constant <i32: 0> : tile<64xi32>
    %v24 = addi %v3, %v23 : tile<64xi32>
    %v25 = reshape %b : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v26 = broadcast %v25 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v27 = offset %v26, %v24 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v28 = store_ptr_tko weak %v27, %v13 : tile<64xptr<i8>>, tile<64xi8> -> token
    %v29 = constant <i32: 64> : tile<64xi32>
    %v30 = addi %v3, %v29 : tile<64xi32>
    %v31 = reshape %b : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v32 = broadcast %v31 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v33 = offset %v32, %v30 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v34 = store_ptr_tko weak %v33, %v15 : tile<64xptr<i8>>, tile<64xi8> -> token
    %v35 = constant <i32: 128> : tile<64xi32>
    %v36 = addi %v3, %v35 : tile<64xi32>
    %v37 = reshape %b : tile<ptr<i8>> -> tile<1xptr<i8>>
    %v38 = broadcast %v37 : tile<1xptr<i8>> -> tile<64xptr<i8>>
    %v39 = offset %v38, %v36 : tile<64xptr<i8>>, tile<64xi32> -> tile<64xptr<i8>>
    %v40 = store_ptr_tko weak %v39, %v21 : tile<64xptr<i8>>, tile<64xi8> -> token
    return
  }
}
