// A counter that nobody set to zero.
// run: uninitialized:4
// report: kernel `faulty`, block (0, 0, 0), atomic_rmw_tko (operation 1): reads bytes 0..4 of parameter 0, which nothing has written at uninitialized_atomic.mlir:3:12

entry @faulty(%x: tile<ptr<i32>>) {
  %1 = constant <i32: 1> : tile<i32>
  %o, %t = atomic_rmw_tko relaxed device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %s = store_ptr_tko weak %x, %0 : tile<ptr<i32>>, tile<i32> -> token
  %o, %t = atomic_rmw_tko relaxed device %x, add, %1 token=%s : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}
