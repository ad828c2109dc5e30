// test: opt --passes=refine-tokens
// 8 elements from a pointer on, the next 8, 8 that share four with each, and an unknown one.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %i = iota : tile<8xi32>
    %eight = constant <i32: 8> : tile<8xi32>
    %four = constant <i32: 4> : tile<i32>
    %r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %q0 = offset %b, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %j = addi %i, %eight : tile<8xi32>
    %q1 = offset %b, %j : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %p4 = offset %p, %four : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %r4 = reshape %p4 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b4 = broadcast %r4 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %q2 = offset %b4, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %q3 = offset %p, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = make_token : token
    %t0 = store_ptr_tko weak %q0, %i token=%t : tile<8xptr<i32>>, tile<8xi32> -> token
    %t1 = store_ptr_tko weak %q1, %i token=%t0 : tile<8xptr<i32>>, tile<8xi32> -> token
    %t2 = store_ptr_tko weak %q2, %i token=%t1 : tile<8xptr<i32>>, tile<8xi32> -> token
    %x, %t3 = load_ptr_tko weak %q1 token=%t2 : tile<8xptr<i32>> -> tile<8xi32>, token
    %t4 = store_ptr_tko weak %q3, %four token=%t3 : tile<ptr<i32>>, tile<i32> -> token
    print_tko "%d", %x token=%t4 : tile<8xi32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %i = iota : tile<8xi32>
    %eight = constant <i32: 8> : tile<8xi32>
    %four = constant <i32: 4> : tile<i32>
    %r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %q0 = offset %b, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %j = addi %i, %eight : tile<8xi32>
    %q1 = offset %b, %j : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %p4 = offset %p, %four : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %r4 = reshape %p4 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b4 = broadcast %r4 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %q2 = offset %b4, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %q3 = offset %p, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = make_token : token
    %t0 = store_ptr_tko weak %q0, %i token=%t : tile<8xptr<i32>>, tile<8xi32> -> token
    %t1 = store_ptr_tko weak %q1, %i : tile<8xptr<i32>>, tile<8xi32> -> token
    %0 = join_tokens %t0, %t1 : token
    %t2 = store_ptr_tko weak %q2, %i token=%0 : tile<8xptr<i32>>, tile<8xi32> -> token
    %x, %t3 = load_ptr_tko weak %q1 token=%t2 : tile<8xptr<i32>> -> tile<8xi32>, token
    %t4 = store_ptr_tko weak %q3, %four token=%t3 : tile<ptr<i32>>, tile<i32> -> token
    %1 = print_tko "%d", %x token=%t4 : tile<8xi32> -> token
    return
  }
}
// rewrites:
//   21 independent_access
//   22 join_independent
