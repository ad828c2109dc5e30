// A print passes the order of tokens on; without its operand it stands for nothing.
// run: zeros:8
// shows in the order
// report: kernel `faulty`, block (0, 0, 0), store_ptr_tko (operation 4): no token orders it after store_ptr_tko (operation 2) at a_print_that_orders_nothing.mlir:4:8: writes bytes 0..4 of parameter 0 at a_print_that_orders_nothing.mlir:6:8

entry @faulty(%x: tile<ptr<i32>>) {
  %7 = constant <i32: 7> : tile<i32>
  %8 = constant <i32: 8> : tile<i32>
  %s = store_ptr_tko weak %x, %7 : tile<ptr<i32>>, tile<i32> -> token
  %t = print_tko "" -> token
  %u = store_ptr_tko weak %x, %8 token=%t : tile<ptr<i32>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %7 = constant <i32: 7> : tile<i32>
  %8 = constant <i32: 8> : tile<i32>
  %s = store_ptr_tko weak %x, %7 : tile<ptr<i32>>, tile<i32> -> token
  %t = print_tko "" token=%s -> token
  %u = store_ptr_tko weak %x, %8 token=%t : tile<ptr<i32>>, tile<i32> -> token
  return
}
