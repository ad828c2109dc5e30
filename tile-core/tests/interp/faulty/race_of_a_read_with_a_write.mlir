// A block reads what its neighbour writes; it reads the input instead.
// run: grid=2 i32:1,2,3,4,5,6,7,8 zeros:16
// report: kernel `faulty`, block (1, 0, 0), store_ptr_tko (operation 5): race with load_ptr_tko (operation 6) of block (0, 0, 0) at race_of_a_read_with_a_write.mlir:8:12: writes bytes 4..8 of parameter 1 at race_of_a_read_with_a_write.mlir:7:8
// report: kernel `faulty`, block (1, 0, 0), load_ptr_tko (operation 6): race with store_ptr_tko (operation 7) of block (0, 0, 0) at race_of_a_read_with_a_write.mlir:9:8: reads bytes 0..4 of parameter 1 at race_of_a_read_with_a_write.mlir:8:12
// report: kernel `faulty`, block (1, 0, 0), store_ptr_tko (operation 7): race with load_ptr_tko (operation 6) of block (0, 0, 0) at race_of_a_read_with_a_write.mlir:8:12: writes bytes 4..8 of parameter 1 at race_of_a_read_with_a_write.mlir:9:8

entry @faulty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %n = subi %one, %i : tile<i32>
  %mine = offset %y, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %other = offset %y, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %t = store_ptr_tko weak %mine, %i : tile<ptr<i32>>, tile<i32> -> token
  %v, %u = load_ptr_tko weak %other token=%t : tile<ptr<i32>> -> tile<i32>, token
  %w = store_ptr_tko weak %mine, %v token=%u : tile<ptr<i32>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %n = subi %one, %i : tile<i32>
  %mine = offset %y, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %other = offset %x, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %t = store_ptr_tko weak %mine, %i : tile<ptr<i32>>, tile<i32> -> token
  %v, %u = load_ptr_tko weak %other : tile<ptr<i32>> -> tile<i32>, token
  %w = store_ptr_tko weak %mine, %v token=%t : tile<ptr<i32>>, tile<i32> -> token
  return
}
