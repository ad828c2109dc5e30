// The last of four blocks sums what all have stored; its counter orders nothing.
// run: grid=4 zeros:16 zeros:4
// report: kernel `faulty`, block (3, 0, 0), load_ptr_tko (operation 12): element [0]: race with store_ptr_tko (operation 4) of block (0, 0, 0) at a_last_block_without_ordering.mlir:6:8: reads bytes 0..4 of parameter 0 at a_last_block_without_ordering.mlir:14:14
// report: kernel `faulty`, block (3, 0, 0), store_ptr_tko (operation 17): race with store_ptr_tko (operation 4) of block (0, 0, 0) at a_last_block_without_ordering.mlir:6:8: writes bytes 0..4 of parameter 0 at a_last_block_without_ordering.mlir:20:10

entry @faulty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %3 = constant <i32: 3> : tile<i32>
  %mine = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %t = store_ptr_tko weak %mine, %i : tile<ptr<i32>>, tile<i32> -> token
  %count, %u = atomic_rmw_tko relaxed device %y, add, %1 token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  %is_last = cmpi equal %count, %3, signed : tile<i32> -> tile<i1>
  if %is_last {
    %pi = iota : tile<4xi32>
    %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %w = load_ptr_tko weak %p token=%u : tile<4xptr<i32>> -> tile<4xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %c = addi %a, %b : tile<i32>
      yield %c : tile<i32>
    }
    %join = join_tokens %t, %w : token
    %s = store_ptr_tko weak %x, %sum token=%join : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}

entry @corrected(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %i, %j, %k = get_tile_block_id : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %3 = constant <i32: 3> : tile<i32>
  %mine = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %t = store_ptr_tko weak %mine, %i : tile<ptr<i32>>, tile<i32> -> token
  %count, %u = atomic_rmw_tko acq_rel device %y, add, %1 token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  %is_last = cmpi equal %count, %3, signed : tile<i32> -> tile<i1>
  if %is_last {
    %pi = iota : tile<4xi32>
    %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %w = load_ptr_tko weak %p token=%u : tile<4xptr<i32>> -> tile<4xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %c = addi %a, %b : tile<i32>
      yield %c : tile<i32>
    }
    %join = join_tokens %t, %w : token
    %s = store_ptr_tko weak %x, %sum token=%join : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}
