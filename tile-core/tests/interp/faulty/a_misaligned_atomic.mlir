// An atomic of 4 bytes at an odd address.
// run: zeros:12
// report: kernel `faulty`, block (0, 0, 0), atomic_rmw_tko (operation 4): atomic access to an address that is no multiple of 4 at a_misaligned_atomic.mlir:6:12

entry @faulty(%x: tile<ptr<i32>>) {
  %b = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<i8>>
  %1 = constant <i32: 1> : tile<i32>
  %c = offset %b, %1 : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
  %p = ptr_to_ptr %c : tile<ptr<i8>> -> tile<ptr<i32>>
  %o, %u = atomic_rmw_tko relaxed device %p, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %b = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<i8>>
  %1 = constant <i32: 1> : tile<i32>
  %4 = constant <i32: 4> : tile<i32>
  %c = offset %b, %4 : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
  %p = ptr_to_ptr %c : tile<ptr<i8>> -> tile<ptr<i32>>
  %o, %u = atomic_rmw_tko relaxed device %p, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}
