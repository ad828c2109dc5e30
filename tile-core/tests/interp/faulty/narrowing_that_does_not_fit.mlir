// A number of 32 bits is promised to fit 8.
// run: i32:1,2,300,4
// report: kernel `faulty`, block (0, 0, 0), trunci (operation 5): element [2]: 300 does not fit 8 bits as promised at narrowing_that_does_not_fit.mlir:7:8

entry @faulty(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %c = trunci %a overflow<no_unsigned_wrap> : tile<4xi32> -> tile<4xi8>
  %d = exti %c unsigned : tile<4xi8> -> tile<4xi32>
  %u = store_ptr_tko weak %p, %d token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %c = trunci %a : tile<4xi32> -> tile<4xi8>
  %d = exti %c unsigned : tile<4xi8> -> tile<4xi32>
  %u = store_ptr_tko weak %p, %d token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
