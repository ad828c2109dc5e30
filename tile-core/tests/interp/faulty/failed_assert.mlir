// An index is asserted to be below 3.
// run: zeros:16
// fault: kernel `faulty`, block (0, 0, 0), assert (operation 6): assertion `below 3` failed at [3] at failed_assert.mlir:8:3

entry @faulty(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %3 = constant <i32: 3> : tile<4xi32>
  %c = cmpi less_than %pi, %3, signed : tile<4xi32> -> tile<4xi1>
  assert %c, "below 3" : tile<4xi1>
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %3 = constant <i32: 4> : tile<4xi32>
  %c = cmpi less_than %pi, %3, signed : tile<4xi32> -> tile<4xi1>
  assert %c, "below 4" : tile<4xi1>
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
