// A flag that a block waits for says that data is there, and does not order it: the store is relaxed.
// run: grid=2 zeros:8 zeros:4
// report: kernel `faulty`, block (1, 0, 0), load_ptr_tko (operation 16): race with store_ptr_tko (operation 7) of block (0, 0, 0) at a_flag_without_release.mlir:9:10: reads bytes 0..4 of parameter 0 at a_flag_without_release.mlir:20:14

entry @faulty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %flag = offset %x, %1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %is_first = cmpi equal %i, %0, signed : tile<i32> -> tile<i1>
  if %is_first {
    %seven = constant <i32: 7> : tile<i32>
    %t = store_ptr_tko weak %x, %seven : tile<ptr<i32>>, tile<i32> -> token
    %u = store_ptr_tko relaxed device %flag, %1 token=%t : tile<ptr<i32>>, tile<i32> -> token
  } else {
    %t = loop : token {
      %f, %r = load_ptr_tko acquire device %flag : tile<ptr<i32>> -> tile<i32>, token
      %is_set = cmpi equal %f, %1, signed : tile<i32> -> tile<i1>
      if %is_set {
        break %r : token
      }
      continue
    }
    %v, %u = load_ptr_tko weak %x token=%t : tile<ptr<i32>> -> tile<i32>, token
    %w = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}

entry @corrected(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %flag = offset %x, %1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %is_first = cmpi equal %i, %0, signed : tile<i32> -> tile<i1>
  if %is_first {
    %seven = constant <i32: 7> : tile<i32>
    %t = store_ptr_tko weak %x, %seven : tile<ptr<i32>>, tile<i32> -> token
    %u = store_ptr_tko release device %flag, %1 token=%t : tile<ptr<i32>>, tile<i32> -> token
  } else {
    %t = loop : token {
      %f, %r = load_ptr_tko acquire device %flag : tile<ptr<i32>> -> tile<i32>, token
      %is_set = cmpi equal %f, %1, signed : tile<i32> -> tile<i1>
      if %is_set {
        break %r : token
      }
      continue
    }
    %v, %u = load_ptr_tko weak %x token=%t : tile<ptr<i32>> -> tile<i32>, token
    %w = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}
