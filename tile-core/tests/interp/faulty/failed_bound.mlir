// The numbers are assumed to be below 100.
// run: i32:4,8,10,120
// report: kernel `faulty`, block (0, 0, 0), assume (operation 5): element [3]: assumed between 0 and 99, found 120 at failed_bound.mlir:7:8

entry @faulty(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %c = assume bounded<0, 99>, %a : tile<4xi32>
  %u = store_ptr_tko weak %p, %c token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %a, %t = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %c = assume bounded<0, 120>, %a : tile<4xi32>
  %u = store_ptr_tko weak %p, %c token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
