// A divisor is zero.
// run: i32:1,2,3,4
// report: kernel `faulty`, block (0, 0, 0), remi (operation 6): element [1]: 2 % 0 is undefined: division by zero at remainder_of_zero.mlir:8:8

entry @faulty(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %b = constant <i32: [1, 0, 3, 4]> : tile<4xi32>
  %c = remi %a, %b unsigned : tile<4xi32>
  %u = store_ptr_tko weak %p, %c token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %b = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
  %c = remi %a, %b unsigned : tile<4xi32>
  %u = store_ptr_tko weak %p, %c token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
