// A step has to be positive.
// run: i32:1
// report: kernel `faulty`, block (0, 0, 0), for (operation 3): step 0 is not positive at step_of_zero.mlir:5:10

entry @faulty(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %n = constant <i32: 10> : tile<i32>
  %s = constant <i32: 0> : tile<i32>
  %sum = for %i in (%0 to %n, step %s) : tile<i32> iter_values(%a = %0) -> (tile<i32>) {
    %b = addi %a, %i : tile<i32>
    continue %b : tile<i32>
  }
  %u = store_ptr_tko weak %x, %sum : tile<ptr<i32>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %n = constant <i32: 10> : tile<i32>
  %s = constant <i32: 1> : tile<i32>
  %sum = for %i in (%0 to %n, step %s) : tile<i32> iter_values(%a = %0) -> (tile<i32>) {
    %b = addi %a, %i : tile<i32>
    continue %b : tile<i32>
  }
  %u = store_ptr_tko weak %x, %sum : tile<ptr<i32>>, tile<i32> -> token
  return
}
