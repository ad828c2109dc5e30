// An offset of one element too many moves the last element out of the buffer.
// run: zeros:16
// report: kernel `faulty`, block (0, 0, 0), store_ptr_tko (operation 6): element [3]: access to bytes 16..20 of a buffer of 16 bytes, parameter 0 at out_of_bounds_store.mlir:8:8

entry @faulty(%x: tile<ptr<i32>>) {
  %one = constant <i32: 1> : tile<i32>
  %y = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %pi = iota : tile<4xi32>
  %p1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
