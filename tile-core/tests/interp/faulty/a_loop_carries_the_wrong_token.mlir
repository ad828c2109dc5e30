// Each iteration adds to what the one before stored, and carries the token that it got.
// run: zeros:4
// report: kernel `faulty`, block (0, 0, 0), load_ptr_tko (operation 5): no token orders it after store_ptr_tko (operation 7) at a_loop_carries_the_wrong_token.mlir:9:10: reads bytes 0..4 of parameter 0 at a_loop_carries_the_wrong_token.mlir:7:14
// report: kernel `faulty`, block (0, 0, 0), store_ptr_tko (operation 7): no token orders it after store_ptr_tko (operation 7) at a_loop_carries_the_wrong_token.mlir:9:10: writes bytes 0..4 of parameter 0 at a_loop_carries_the_wrong_token.mlir:9:10

entry @faulty(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %n = constant <i32: 10> : tile<i32>
  %start = make_token : token
  %end = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%t = %start) -> (token) {
    %v, %u = load_ptr_tko weak %x token=%t : tile<ptr<i32>> -> tile<i32>, token
    %w = addi %v, %1 : tile<i32>
    %s = store_ptr_tko weak %x, %w token=%u : tile<ptr<i32>>, tile<i32> -> token
    continue %t : token
  }
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %n = constant <i32: 10> : tile<i32>
  %start = make_token : token
  %end = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%t = %start) -> (token) {
    %v, %u = load_ptr_tko weak %x token=%t : tile<ptr<i32>> -> tile<i32>, token
    %w = addi %v, %1 : tile<i32>
    %s = store_ptr_tko weak %x, %w token=%u : tile<ptr<i32>>, tile<i32> -> token
    continue %s : token
  }
  return
}
