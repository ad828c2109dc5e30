// test: opt --passes=canonicalize
// Two conditionals in a row on one condition are one; what the second takes from the first is what
// the branch gives.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>, %t: tile<2x4xf32>) -> (tile<i32>, tile<2x4xf32>, tile<i32>) {
    %0, %1 = if %c -> (tile<i32>, tile<2x4xf32>) {
      %x = addi %a, %a : tile<i32>
      %y = mulf %t, %t : tile<2x4xf32>
      yield %x, %y : tile<i32>, tile<2x4xf32>
    } else {
      %z = negi %a : tile<i32>
      yield %z, %t : tile<i32>, tile<2x4xf32>
    }
    %2 = if %c -> (tile<i32>) {
      %x = muli %0, %0 : tile<i32>
      yield %x : tile<i32>
    } else {
      yield %0 : tile<i32>
    }
    return %0, %1, %2 : tile<i32>, tile<2x4xf32>, tile<i32>
  }
  entry @negated(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    if %c {
      %p = print_tko "a" -> token
    }
    if %n {
      %p = print_tko "b" -> token
    }
    return
  }
  entry @first_exits(%c: tile<i1>) {
    if %c {
      return
    } else {
      %p = print_tko "b" -> token
    }
    if %c {
      %p = print_tko "never" -> token
    } else {
      %p = print_tko "d" -> token
    }
    return
  }
  entry @second_exits(%c: tile<i1>) {
    if %c {
      %p = print_tko "a" -> token
    }
    if %c {
      %p = print_tko "b" -> token
      return
    }
    %q = print_tko "c" -> token
    return
  }
  entry @something_between(%c: tile<i1>) {
    if %c {
      %p = print_tko "a" -> token
    }
    %q = print_tko "between" -> token
    if %c {
      %p = print_tko "b" -> token
    }
    return
  }
  entry @other_condition(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      %p = print_tko "a" -> token
    }
    if %d {
      %p = print_tko "b" -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>, %t: tile<2x4xf32>) -> (tile<i32>, tile<2x4xf32>, tile<i32>) {
    %0, %1, %2 = if %c -> (tile<i32>, tile<2x4xf32>, tile<i32>) {
      %x = addi %a, %a : tile<i32>
      %y = mulf %t, %t : tile<2x4xf32>
      %3 = muli %x, %x : tile<i32>
      yield %x, %y, %3 : tile<i32>, tile<2x4xf32>, tile<i32>
    } else {
      %z = negi %a : tile<i32>
      yield %z, %t, %z : tile<i32>, tile<2x4xf32>, tile<i32>
    }
    return %0, %1, %2 : tile<i32>, tile<2x4xf32>, tile<i32>
  }
  entry @negated(%c: tile<i1>) {
    if %c {
      %p = print_tko "a" -> token
    } else {
      %p = print_tko "b" -> token
    }
    return
  }
  entry @first_exits(%c: tile<i1>) {
    if %c {
      return
    } else {
      %p = print_tko "b" -> token
      %0 = print_tko "d" -> token
    }
    return
  }
  entry @second_exits(%c: tile<i1>) {
    if %c {
      %p = print_tko "a" -> token
      %0 = print_tko "b" -> token
      return
    }
    %q = print_tko "c" -> token
    return
  }
  entry @something_between(%c: tile<i1>) {
    if %c {
      %p = print_tko "a" -> token
    }
    %q = print_tko "between" -> token
    if %c {
      %p = print_tko "b" -> token
    }
    return
  }
  entry @other_condition(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      %p = print_tko "a" -> token
    }
    if %d {
      %p = print_tko "b" -> token
    }
    return
  }
}
// rewrites:
//   15 if_combine_adjacent
//   29 if_combine_adjacent
//   25 dead_code
//   24 dead_code
//   40 if_combine_adjacent
//   51 if_combine_adjacent
