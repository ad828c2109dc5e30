// test: run
// arg: i32[128] random
// arg: i1 = 1
// arg: i32[128] zeros
// What a branch stores, the threads load after it.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %c: tile<i1>, %b: tile<ptr<i32>>) {
    %v1 = iota : tile<128xi32>
    %v2 = constant <i32: 127> : tile<128xi32>
    %v3 = subi %v2, %v1 : tile<128xi32>
    %v4 = iota : tile<128xi32>
    %v5 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v6 = broadcast %v5 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v7 = offset %v6, %v4 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v8 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v9 = broadcast %v8 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v10 = offset %v9, %v3 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v11 = make_token : token
    %v12 = if %c -> (token) {
      %v13 = store_ptr_tko weak %v7, %v1 token=%v11 : tile<128xptr<i32>>, tile<128xi32> -> token
      yield %v13 : token
    } else {
      yield %v11 : token
    }
    %v14 = join_tokens %v12, %v11 : token
    %v15, %v16 = load_ptr_tko weak %v10 token=%v14 : tile<128xptr<i32>> -> tile<128xi32>, token
    %v17 = iota : tile<128xi32>
    %v18 = reshape %b : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v19 = broadcast %v18 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v20 = offset %v19, %v17 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v21 = store_ptr_tko weak %v20, %v15 : tile<128xptr<i32>>, tile<128xi32> -> token
    return
  }
}
