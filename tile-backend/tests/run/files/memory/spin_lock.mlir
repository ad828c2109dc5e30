// test: run
// grid: 5 1 1
// arg: i32[1] zeros
// arg: i32[1] zeros
// arg: i32[256] zeros
// A lock that blocks spin on: a number and a tile change under it, the tile turned around each time.
cuda_tile.module @kernels {
  entry @kernel(%lock: tile<ptr<i32>>, %n: tile<ptr<i32>>, %t: tile<ptr<i32>>) {
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
    %v8, %v9 = load_ptr_tko weak %n token=%v4 : tile<ptr<i32>> -> tile<i32>, token
    %v10 = constant <i32: 1> : tile<i32>
    %v11 = addi %v8, %v10 : tile<i32>
    %v12 = store_ptr_tko weak %n, %v11 token=%v9 : tile<ptr<i32>>, tile<i32> -> token
    %v13 = iota : tile<256xi32>
    %v14 = constant <i32: 255> : tile<256xi32>
    %v15 = subi %v14, %v13 : tile<256xi32>
    %v16 = reshape %t : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v17 = broadcast %v16 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %v18 = offset %v17, %v15 : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %v19, %v20 = load_ptr_tko weak %v18 token=%v4 : tile<256xptr<i32>> -> tile<256xi32>, token
    %v21 = reshape %v11 : tile<i32> -> tile<1xi32>
    %v22 = broadcast %v21 : tile<1xi32> -> tile<256xi32>
    %v23 = addi %v19, %v22 : tile<256xi32>
    %v24 = iota : tile<256xi32>
    %v25 = reshape %t : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v26 = broadcast %v25 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %v27 = offset %v26, %v24 : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %v28 = store_ptr_tko weak %v27, %v23 token=%v20 : tile<256xptr<i32>>, tile<256xi32> -> token
    %v29 = join_tokens %v12, %v28 : token
    %v30 = constant <i32: 0> : tile<i32>
    %v31 = store_ptr_tko release device %lock, %v30 token=%v29 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
