// Memory of a block holds nothing at first.
// run: zeros:4
// report: kernel `faulty`, block (0, 0, 0), load_ptr_tko (operation 1): reads bytes 0..4 of memory of `alloca`, which nothing has written at uninitialized_alloca.mlir:3:12

entry @faulty(%x: tile<ptr<i32>>) {
  %p = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>
  %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  %u = store_ptr_tko weak %x, %v : tile<ptr<i32>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %p = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>
  %7 = constant <i32: 7> : tile<i32>
  %s = store_ptr_tko weak %p, %7 : tile<ptr<i32>>, tile<i32> -> token
  %v, %t = load_ptr_tko weak %p token=%s : tile<ptr<i32>> -> tile<i32>, token
  %u = store_ptr_tko weak %x, %v : tile<ptr<i32>>, tile<i32> -> token
  return
}
