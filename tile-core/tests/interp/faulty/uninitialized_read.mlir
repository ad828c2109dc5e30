// The buffer means nothing before the kernel writes it, and the last element is left out.
// run: uninitialized:16 zeros:16
// report: kernel `faulty`, block (0, 0, 0), load_ptr_tko (operation 10): element [3]: reads bytes 12..16 of parameter 0, which nothing has written at uninitialized_read.mlir:12:12

entry @faulty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %qi = iota : tile<4xi32>
  %q1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
  %q4 = broadcast %q1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %q = offset %q4, %qi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %mask = constant <i1: [true, true, true, false]> : tile<4xi1>
  %t = store_ptr_tko weak %p, %pi, %mask : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  %v, %u = load_ptr_tko weak %p token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
  %w = store_ptr_tko weak %q, %v : tile<4xptr<i32>>, tile<4xi32> -> token
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
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  %v, %u = load_ptr_tko weak %p token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
  %w = store_ptr_tko weak %q, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
