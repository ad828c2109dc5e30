// The first block sets the counter to zero with a weak store, while others count; the host does it before the launch.
// run: grid=3 i32:0
// report: kernel `faulty`, block (1, 0, 0), atomic_rmw_tko (operation 9): race with store_ptr_tko (operation 6) of block (0, 0, 0) at a_block_resets_a_counter_of_all.mlir:8:10: changes bytes 0..4 of parameter 0 at a_block_resets_a_counter_of_all.mlir:13:12
// report: kernel `faulty`, block (2, 0, 0), atomic_rmw_tko (operation 9): race with store_ptr_tko (operation 6) of block (0, 0, 0) at a_block_resets_a_counter_of_all.mlir:8:10: changes bytes 0..4 of parameter 0 at a_block_resets_a_counter_of_all.mlir:13:12

entry @faulty(%x: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %is_first = cmpi equal %i, %0, signed : tile<i32> -> tile<i1>
  %start = make_token : token
  %t = if %is_first -> (token) {
    %s = store_ptr_tko weak %x, %0 : tile<ptr<i32>>, tile<i32> -> token
    yield %s : token
  } else {
    yield %start : token
  }
  %c, %u = atomic_rmw_tko relaxed device %x, add, %1 token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %1 = constant <i32: 1> : tile<i32>
  %c, %u = atomic_rmw_tko relaxed device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}
