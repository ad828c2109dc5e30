// test: run
// arg: i32[2048] random
// Through global memory to the other end of the row, which another block has.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %io = iota : tile<2048xi32>
    %last = constant <i32: 2047> : tile<2048xi32>
    %rev = subi %last, %io : tile<2048xi32>
    %p1r = reshape %p0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pb = broadcast %p1r : tile<1xptr<i32>> -> tile<2048xptr<i32>>
    %pp = offset %pb, %io : tile<2048xptr<i32>>, tile<2048xi32> -> tile<2048xptr<i32>>
    %pr = offset %pb, %rev : tile<2048xptr<i32>>, tile<2048xi32> -> tile<2048xptr<i32>>
    %l, %t = load_ptr_tko weak %pp : tile<2048xptr<i32>> -> tile<2048xi32>, token
    %m = addi %l, %io : tile<2048xi32>
    %st = store_ptr_tko weak %pp, %m token=%t : tile<2048xptr<i32>>, tile<2048xi32> -> token
    %k, %t2 = load_ptr_tko weak %pr token=%st : tile<2048xptr<i32>> -> tile<2048xi32>, token
    %st2 = store_ptr_tko weak %pp, %k token=%t2 : tile<2048xptr<i32>>, tile<2048xi32> -> token
    return
  }
}
