// test: opt --passes=canonicalize
// A branch that is always taken takes the place of the `if`; if it exits, nothing after it stays.

cuda_tile.module @m {
  testing$func @taken(%a: tile<i32>, %t: tile<2x4xi32>) -> (tile<i32>, tile<2x4xi32>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %0 = if %true -> (tile<i32>) {
      %x = addi %a, %a : tile<i32>
      yield %x : tile<i32>
    } else {
      yield %a : tile<i32>
    }
    %1 = if %false -> (tile<2x4xi32>) {
      yield %t : tile<2x4xi32>
    } else {
      %x = muli %t, %t : tile<2x4xi32>
      yield %x : tile<2x4xi32>
    }
    return %0, %1 : tile<i32>, tile<2x4xi32>
  }
  entry @false_without_else() {
    %false = constant <i1: false> : tile<i1>
    if %false {
      %p = print_tko "never" -> token
    }
    return
  }
  entry @exits(%n: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    for %i in (%n to %n, step %n) : tile<i32> {
      if %true {
        %p = print_tko "first" -> token
        continue
      }
      %q = print_tko "never" -> token
      continue
    }
    if %true {
      return
    } else {
      %r = print_tko "never" -> token
    }
    %s = print_tko "never" -> token
    return
  }
  entry @leaves_a_loop(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    loop {
      if %c {
        if %true {
          break
        }
        %s = print_tko "never" -> token
      }
      continue
    }
    return
  }
  entry @not_known(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @taken(%a: tile<i32>, %t: tile<2x4xi32>) -> (tile<i32>, tile<2x4xi32>) {
    %x = addi %a, %a : tile<i32>
    %0 = muli %t, %t : tile<2x4xi32>
    return %x, %0 : tile<i32>, tile<2x4xi32>
  }
  entry @false_without_else() {
    return
  }
  entry @exits(%n: tile<i32>) {
    for %i in (%n to %n, step %n) : tile<i32> {
      %p = print_tko "first" -> token
    }
    return
  }
  entry @leaves_a_loop(%c: tile<i1>) {
    loop {
      if %c {
        break
      }
    }
    return
  }
  entry @not_known(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
    }
    return
  }
}
// rewrites:
//    8 if_remove_static_condition
//    6 dead_code
//   14 if_remove_static_condition
//    7 dead_code
//   24 if_remove_static_condition
//   23 dead_code
//   32 if_remove_static_condition
//   39 if_remove_static_condition
//   30 dead_code
//   51 if_remove_static_condition
//   48 dead_code
