// A load that has to see a store takes no token of it.
// run: zeros:16 zeros:16
// shows in the order
// report: kernel `faulty`, block (0, 0, 0), load_ptr_tko (operation 9): element [0]: no token orders it after store_ptr_tko (operation 8), element [0] at missing_token_load_after_store.mlir:10:8: reads bytes 0..4 of parameter 0 at missing_token_load_after_store.mlir:11:12

entry @faulty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %qi = iota : tile<4xi32>
  %q1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
  %q4 = broadcast %q1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %q = offset %q4, %qi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  %v, %u = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
  %w = store_ptr_tko weak %q, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %qi = iota : tile<4xi32>
  %q1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
  %q4 = broadcast %q1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %q = offset %q4, %qi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  %v, %u = load_ptr_tko weak %p token=%t : tile<4xptr<i32>> -> tile<4xi32>, token
  %w = store_ptr_tko weak %q, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
