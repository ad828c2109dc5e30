// Two stores to one place; which is the last is open. Of the tokens that the second joins, none is of the first.
// run: zeros:32
// shows in the order
// report: kernel `faulty`, block (0, 0, 0), store_ptr_tko (operation 9): element [0]: no token orders it after store_ptr_tko (operation 5), element [0] at missing_token_between_stores.mlir:7:8: writes bytes 0..4 of parameter 0 at missing_token_between_stores.mlir:11:8

entry @faulty(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %7 = constant <i32: 7> : tile<4xi32>
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  %a = make_token : token
  %b = make_token : token
  %c = join_tokens %a, %b : token
  %u = store_ptr_tko weak %p, %7 token=%c : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %pi = iota : tile<4xi32>
  %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %p4, %pi : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %7 = constant <i32: 7> : tile<4xi32>
  %t = store_ptr_tko weak %p, %pi : tile<4xptr<i32>>, tile<4xi32> -> token
  %a = make_token : token
  %c = join_tokens %a, %t : token
  %u = store_ptr_tko weak %p, %7 token=%c : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}
