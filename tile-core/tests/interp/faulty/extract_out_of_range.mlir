// A tile of 4 has two slices of 2.
// run: i32:1,2,3,4
// report: kernel `faulty`, block (0, 0, 0), extract (operation 6): index 2 along axis 0, which has 2 slices at extract_out_of_range.mlir:8:8

entry @faulty(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %n = constant <i32: 2> : tile<i32>
  %b = extract %a[%n] : tile<4xi32> -> tile<2xi32>
  %c = cat %b, %b dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>
  %u = store_ptr_tko weak %p, %c token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %n = constant <i32: 1> : tile<i32>
  %b = extract %a[%n] : tile<4xi32> -> tile<2xi32>
  %c = cat %b, %b dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>
  %u = store_ptr_tko weak %p, %c token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
