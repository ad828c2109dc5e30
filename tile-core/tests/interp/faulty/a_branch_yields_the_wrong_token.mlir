// The store is in a branch, and the token that the branch yields is older than it.
// run: zeros:4 i32:1
// report: kernel `faulty`, block (0, 0, 0), load_ptr_tko (operation 9): no token orders it after store_ptr_tko (operation 6) at a_branch_yields_the_wrong_token.mlir:8:10: reads bytes 0..4 of parameter 0 at a_branch_yields_the_wrong_token.mlir:13:12

entry @faulty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %c, %r = load_ptr_tko weak %y : tile<ptr<i32>> -> tile<i32>, token
  %yes = cmpi not_equal %c, %0, signed : tile<i32> -> tile<i1>
  %t = if %yes -> (token) {
    %s = store_ptr_tko weak %x, %1 token=%start : tile<ptr<i32>>, tile<i32> -> token
    yield %start : token
  } else {
    yield %start : token
  }
  %v, %u = load_ptr_tko weak %x token=%t : tile<ptr<i32>> -> tile<i32>, token
  %w = store_ptr_tko weak %y, %v token=%r : tile<ptr<i32>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %c, %r = load_ptr_tko weak %y : tile<ptr<i32>> -> tile<i32>, token
  %yes = cmpi not_equal %c, %0, signed : tile<i32> -> tile<i1>
  %t = if %yes -> (token) {
    %s = store_ptr_tko weak %x, %1 token=%start : tile<ptr<i32>>, tile<i32> -> token
    yield %s : token
  } else {
    yield %start : token
  }
  %v, %u = load_ptr_tko weak %x token=%t : tile<ptr<i32>> -> tile<i32>, token
  %w = store_ptr_tko weak %y, %v token=%r : tile<ptr<i32>>, tile<i32> -> token
  return
}
