// test: run
// arg: i32[1] random
// arg: i32[256] zeros
// One thread stores a number, all threads load it.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %v1, %v2 = load_ptr_tko weak %a : tile<ptr<i32>> -> tile<i32>, token
    %v3 = constant <i32: 1> : tile<i32>
    %v4 = addi %v1, %v3 : tile<i32>
    %v5 = store_ptr_tko weak %a, %v4 token=%v2 : tile<ptr<i32>>, tile<i32> -> token
    %v6, %v7 = load_ptr_tko weak %a token=%v5 : tile<ptr<i32>> -> tile<i32>, token
    %v8 = reshape %v6 : tile<i32> -> tile<1xi32>
    %v9 = broadcast %v8 : tile<1xi32> -> tile<256xi32>
    %v10 = iota : tile<256xi32>
    %v11 = addi %v9, %v10 : tile<256xi32>
    %v12 = iota : tile<256xi32>
    %v13 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v14 = broadcast %v13 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %v15 = offset %v14, %v12 : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %v16 = store_ptr_tko weak %v15, %v11 : tile<256xptr<i32>>, tile<256xi32> -> token
    return
  }
}
