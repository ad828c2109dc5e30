// Blocks store to a variable of the module; an atomic may.
// run: grid=2 zeros:4
// report: kernel `faulty`, block (1, 0, 0), store_ptr_tko (operation 2): race with store_ptr_tko (operation 2) of block (0, 0, 0) at race_on_a_variable.mlir:6:8: writes bytes 0..4 of variable 0 of the module at race_on_a_variable.mlir:6:8

global @total <i32: [0]> : tile<1xi32>

entry @faulty(%x: tile<ptr<i32>>) {
  %p = get_global @total : tile<ptr<i32>>
  %i, %j, %k = get_tile_block_id : tile<i32>
  %s = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %p = get_global @total : tile<ptr<i32>>
  %i, %j, %k = get_tile_block_id : tile<i32>
  %o, %s = atomic_rmw_tko relaxed device %p, add, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}
