// test: run
// grid: 4 2 1
// arg: i32[1] zeros
// arg: f32[16] random
// A lock that is given back by an exchange; the tile is held by several threads.
cuda_tile.module @kernels {
  entry @kernel(%lock: tile<ptr<i32>>, %n: tile<ptr<f32>>) {
    %v1 = make_token : token
    %v2 = constant <i32: 0> : tile<i32>
    %v3 = constant <i32: 1> : tile<i32>
    %v4 = loop iter_values(%tk = %v1) : token -> token {
      %v5, %v6 = atomic_cas_tko acquire device %lock, %v2, %v3 token=%tk : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %v7 = cmpi equal %v5, %v2, signed : tile<i32> -> tile<i1>
      if %v7 {
        break %v6 : token
      }
      continue %v6 : token
    }
    %v8 = iota : tile<16xi32>
    %v9 = reshape %n : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v10 = broadcast %v9 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %v11 = offset %v10, %v8 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %v12, %v13 = load_ptr_tko weak %v11 token=%v4 : tile<16xptr<f32>> -> tile<16xf32>, token
    %v14 = constant <f32: 1.0> : tile<16xf32>
    %v15 = addf %v12, %v14 rounding<nearest_even> : tile<16xf32>
    %v16 = store_ptr_tko weak %v11, %v15 token=%v13 : tile<16xptr<f32>>, tile<16xf32> -> token
    %v17 = constant <i32: 0> : tile<i32>
    %v18, %v19 = atomic_rmw_tko release device %lock, xchg, %v17 token=%v16 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }
}
