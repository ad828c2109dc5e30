// Atomics of 4 and of 8 bytes on one place are not one step to each other.
// run: grid=2 zeros:8
// report: kernel `faulty`, block (1, 0, 0), atomic_rmw_tko (operation 9): race with atomic_rmw_tko (operation 7) of block (0, 0, 0) at atomics_of_two_sizes.mlir:9:14: changes bytes 0..8 of parameter 0 at atomics_of_two_sizes.mlir:11:14

entry @faulty(%x: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %w1 = constant <i64: 1> : tile<i64>
  %wide = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<i64>>
  %is_first = cmpi equal %i, %0, signed : tile<i32> -> tile<i1>
  if %is_first {
    %a, %t = atomic_rmw_tko relaxed device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  } else {
    %a, %t = atomic_rmw_tko relaxed device %wide, add, %w1 : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
  }
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %1 = constant <i64: 1> : tile<i64>
  %wide = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<i64>>
  %a, %t = atomic_rmw_tko relaxed device %wide, add, %1 : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
  return
}
