// test: opt --passes=refine-tokens
// A token twice, tokens after nothing, one that comes after another, the same join again.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %v: tile<i32>) {
    %t = make_token : token
    %u = make_token : token
    %j = join_tokens %t, %u : token
    %t0 = store_ptr_tko weak %p, %v token=%j : tile<ptr<i32>>, tile<i32> -> token
    %j0 = join_tokens %t0, %t0, %t : token
    %t1 = store_ptr_tko weak %q, %v token=%j0 : tile<ptr<i32>>, tile<i32> -> token
    %j1 = join_tokens %t0, %t1 : token
    %x, %t2 = load_ptr_tko weak %p token=%j1 : tile<ptr<i32>> -> tile<i32>, token
    %y, %t3 = load_ptr_tko weak %p token=%j1 : tile<ptr<i32>> -> tile<i32>, token
    %j2 = join_tokens %t2, %t3, %t1 : token
    %j3 = join_tokens %t3, %t2 : token
    %t4 = store_ptr_tko weak %p, %x token=%j2 : tile<ptr<i32>>, tile<i32> -> token
    %t5 = store_ptr_tko weak %q, %y token=%j3 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %v: tile<i32>) {
    %t = make_token : token
    %t0 = store_ptr_tko weak %p, %v token=%t : tile<ptr<i32>>, tile<i32> -> token
    %t1 = store_ptr_tko weak %q, %v token=%t0 : tile<ptr<i32>>, tile<i32> -> token
    %x, %t2 = load_ptr_tko weak %p token=%t1 : tile<ptr<i32>> -> tile<i32>, token
    %y, %t3 = load_ptr_tko weak %p token=%t1 : tile<ptr<i32>> -> tile<i32>, token
    %j2 = join_tokens %t2, %t3 : token
    %t4 = store_ptr_tko weak %p, %x token=%j2 : tile<ptr<i32>>, tile<i32> -> token
    %t5 = store_ptr_tko weak %q, %y token=%j2 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
// rewrites:
//    8 join_tokens_same
//   10 join_tokens_same
//   12 join_tokens_same
//   15 join_tokens_fewer
//   16 join_tokens_same
