// Blocks count with atomics whose scope is one block.
// run: grid=2 zeros:4
// report: kernel `faulty`, block (1, 0, 0), atomic_rmw_tko (operation 1): race with atomic_rmw_tko (operation 1) of block (0, 0, 0) at a_counter_of_the_wrong_scope.mlir:3:12: changes bytes 0..4 of parameter 0 at a_counter_of_the_wrong_scope.mlir:3:12

entry @faulty(%x: tile<ptr<i32>>) {
  %1 = constant <i32: 1> : tile<i32>
  %c, %u = atomic_rmw_tko relaxed tl_blk %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %1 = constant <i32: 1> : tile<i32>
  %c, %u = atomic_rmw_tko relaxed device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}
