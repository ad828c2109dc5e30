// test: opt --passes=dce
// A chain, a `for` that ends and does nothing, an `if`, a weak load. Stores, printing, an
// assertion, an assumption, a load that other blocks see and a `loop` that may not end stay.

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %n: tile<i32>, %c: tile<i1>, %p: tile<ptr<i32>>) {
    %s0 = addi %a, %a : tile<i32>
    %s1 = muli %s0, %s0 : tile<i32>
    %w, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %r = for %i in (%a to %n, step %a) : tile<i32> iter_values(%v = %w) -> (tile<i32>) {
      %x = addi %v, %i : tile<i32>
      continue %x : tile<i32>
    }
    %y = if %c -> (tile<i32>) {
      yield %a : tile<i32>
    } else {
      yield %n : tile<i32>
    }
    %l, %t1 = load_ptr_tko relaxed device %p : tile<ptr<i32>> -> tile<i32>, token
    %m = assume div_by<2>, %a : tile<i32>
    assert %c, "c" : tile<i1>
    store_ptr_tko weak %p, %a : tile<ptr<i32>>, tile<i32> -> token
    loop {
      if %c {
        break
      }
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %n: tile<i32>, %c: tile<i1>, %p: tile<ptr<i32>>) {
    %l, %t1 = load_ptr_tko relaxed device %p : tile<ptr<i32>> -> tile<i32>, token
    %m = assume div_by<2>, %a : tile<i32>
    assert %c, "c" : tile<i1>
    %0 = store_ptr_tko weak %p, %a : tile<ptr<i32>>, tile<i32> -> token
    loop {
      if %c {
        break
      }
    }
    return
  }
}
// rewrites:
//   14 dead_code
//   10 dead_code
//    9 dead_code
//    8 dead_code
//    7 dead_code
