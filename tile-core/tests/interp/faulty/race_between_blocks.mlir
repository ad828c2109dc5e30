// Every block stores its number to the same elements; each has elements of its own.
// run: grid=3 zeros:48
// report: kernel `faulty`, block (1, 0, 0), store_ptr_tko (operation 7): element [0]: race with store_ptr_tko (operation 7) of block (0, 0, 0), element [0] at race_between_blocks.mlir:9:8: writes bytes 0..4 of parameter 0 at race_between_blocks.mlir:9:8
// report: kernel `faulty`, block (2, 0, 0), store_ptr_tko (operation 7): element [0]: race with store_ptr_tko (operation 7) of block (0, 0, 0), element [0] at race_between_blocks.mlir:9:8: writes bytes 0..4 of parameter 0 at race_between_blocks.mlir:9:8

entry @faulty(%x: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %1 = reshape %i : tile<i32> -> tile<1xi32>
  %v = broadcast %1 : tile<1xi32> -> tile<4xi32>
  %t = store_ptr_tko weak %p, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %four = constant <i32: 4> : tile<i32>
  %first = muli %i, %four : tile<i32>
  %own = offset %x, %first : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %pi = iota : tile<4xi32>
  %p1 = reshape %own : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %1 = reshape %i : tile<i32> -> tile<1xi32>
  %v = broadcast %1 : tile<1xi32> -> tile<4xi32>
  %t = store_ptr_tko weak %p, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
