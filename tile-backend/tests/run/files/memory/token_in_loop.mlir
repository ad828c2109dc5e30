// test: run
// arg: i32[129] random
// A loop shifts a tile again and again: its iterations are ordered by the token that it carries.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>) {
    %v1 = iota : tile<128xi32>
    %v2 = constant <i32: 1> : tile<128xi32>
    %v3 = addi %v1, %v2 : tile<128xi32>
    %v4 = iota : tile<128xi32>
    %v5 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v6 = broadcast %v5 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v7 = offset %v6, %v4 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v8 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v9 = broadcast %v8 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %v10 = offset %v9, %v3 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v11 = constant <i32: 0> : tile<i32>
    %v12 = constant <i32: 7> : tile<i32>
    %v13 = constant <i32: 1> : tile<i32>
    %v14 = make_token : token
    %v15 = for %it in (%v11 to %v12, step %v13) : tile<i32> iter_values(%tk = %v14) -> (token) {
      %v16, %v17 = load_ptr_tko weak %v10 token=%tk : tile<128xptr<i32>> -> tile<128xi32>, token
      %v18 = addi %v16, %v2 : tile<128xi32>
      %v19 = store_ptr_tko weak %v7, %v18 token=%v17 : tile<128xptr<i32>>, tile<128xi32> -> token
      continue %v19 : token
    }
    %v20, %v21 = load_ptr_tko weak %v10 token=%v15 : tile<128xptr<i32>> -> tile<128xi32>, token
    return
  }
}
