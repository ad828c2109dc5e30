// The loop counts up and waits for a number that it is past.
// run: steps=1000 i32:1
// fault: kernel `faulty`, block (0, 0, 0), loop (operation 3): step limit of 1000 reached at infinite_loop.mlir:5:8

entry @faulty(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %n = constant <i32: 0> : tile<i32>
  %r = loop iter_values(%a = %0) : tile<i32> -> tile<i32> {
    %b = addi %a, %1 : tile<i32>
    %done = cmpi equal %b, %n, signed : tile<i32> -> tile<i1>
    if %done {
      break %b : tile<i32>
    }
    continue %b : tile<i32>
  }
  %u = store_ptr_tko weak %x, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %n = constant <i32: 10> : tile<i32>
  %r = loop iter_values(%a = %0) : tile<i32> -> tile<i32> {
    %b = addi %a, %1 : tile<i32>
    %done = cmpi equal %b, %n, signed : tile<i32> -> tile<i1>
    if %done {
      break %b : tile<i32>
    }
    continue %b : tile<i32>
  }
  %u = store_ptr_tko weak %x, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}
