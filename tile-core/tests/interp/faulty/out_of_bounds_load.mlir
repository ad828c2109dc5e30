// Element 3 lies behind the buffer; a mask keeps it out.
// run: i32:1,2,3 zeros:16
// report: kernel `faulty`, block (0, 0, 0), load_ptr_tko (operation 8): element [3]: access to bytes 12..16 of a buffer of 12 bytes, parameter 0 at out_of_bounds_load.mlir:10:12

entry @faulty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %qi = iota : tile<4xi32>
  %q1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
  %q4 = broadcast %q1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %q = offset %q4, %qi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %v, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %u = store_ptr_tko weak %q, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %qi = iota : tile<4xi32>
  %q1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
  %q4 = broadcast %q1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %q = offset %q4, %qi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %mask = constant <i1: [true, true, true, false]> : tile<4xi1>
  %v, %t = load_ptr_tko weak %p, %mask : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
  %u = store_ptr_tko weak %q, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
