// A difference is promised to fit and is negative.
// run: i32:1,2,3,4
// report: kernel `faulty`, block (0, 0, 0), subi (operation 6): element [1]: 2 - 3 is undefined: the result does not fit 32 bits, which `overflow<no_unsigned_wrap>` promises at violated_no_unsigned_wrap.mlir:8:8

entry @faulty(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %b = constant <i32: [0, 3, 0, 0]> : tile<4xi32>
  %c = subi %a, %b overflow<no_unsigned_wrap> : tile<4xi32>
  %u = store_ptr_tko weak %p, %c token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %b = constant <i32: [0, 1, 0, 0]> : tile<4xi32>
  %c = subi %a, %b overflow<no_unsigned_wrap> : tile<4xi32>
  %u = store_ptr_tko weak %p, %c token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
