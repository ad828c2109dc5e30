// test: opt --passes=canonicalize
// An if whose then is an if and nothing else is an if on both conditions, if nothing is lost where
// either fails.

cuda_tile.module @m {
  entry @fires(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        %p = print_tko "both" -> token
      }
    }
    return
  }
  testing$func @forwards(%c: tile<i1>, %d: tile<i1>, %a: tile<i32>, %t: tile<2x4xi32>, %u: tile<2x4xi32>) -> (tile<i32>, tile<2x4xi32>) {
    %0, %1 = if %c -> (tile<i32>, tile<2x4xi32>) {
      %2 = if %d -> (tile<i32>) {
        %x = addi %a, %a : tile<i32>
        yield %x : tile<i32>
      } else {
        yield %a : tile<i32>
      }
      yield %2, %t : tile<i32>, tile<2x4xi32>
    } else {
      yield %a, %u : tile<i32>, tile<2x4xi32>
    }
    return %0, %1 : tile<i32>, tile<2x4xi32>
  }
  entry @inner_exits(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        return
      }
    }
    %p = print_tko "after" -> token
    return
  }
  testing$func @elses_differ(%c: tile<i1>, %d: tile<i1>, %a: tile<i32>, %b: tile<i32>) -> tile<i32> {
    %0 = if %c -> (tile<i32>) {
      %2 = if %d -> (tile<i32>) {
        %x = addi %a, %a : tile<i32>
        yield %x : tile<i32>
      } else {
        yield %b : tile<i32>
      }
      yield %2 : tile<i32>
    } else {
      yield %a : tile<i32>
    }
    return %0 : tile<i32>
  }
  entry @else_does_something(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        %p = print_tko "both" -> token
      } else {
        %q = print_tko "first" -> token
      }
    }
    return
  }
  entry @something_before(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      %q = print_tko "first" -> token
      if %d {
        %p = print_tko "both" -> token
      }
    }
    return
  }
  entry @inner_exits_and_there_is_an_else(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        return
      } else {
        %q = print_tko "second" -> token
      }
    }
    %p = print_tko "after" -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @fires(%c: tile<i1>, %d: tile<i1>) {
    %0 = andi %c, %d : tile<i1>
    if %0 {
      %p = print_tko "both" -> token
    }
    return
  }
  testing$func @forwards(%c: tile<i1>, %d: tile<i1>, %a: tile<i32>, %t: tile<2x4xi32>, %u: tile<2x4xi32>) -> (tile<i32>, tile<2x4xi32>) {
    %0 = reshape %c : tile<i1> -> tile<1x1xi1>
    %1 = broadcast %0 : tile<1x1xi1> -> tile<2x4xi1>
    %2 = select %1, %t, %u : tile<2x4xi1>, tile<2x4xi32>
    %3 = andi %c, %d : tile<i1>
    %4 = if %3 -> (tile<i32>) {
      %x = addi %a, %a : tile<i32>
      yield %x : tile<i32>
    } else {
      yield %a : tile<i32>
    }
    return %4, %2 : tile<i32>, tile<2x4xi32>
  }
  entry @inner_exits(%c: tile<i1>, %d: tile<i1>) {
    %0 = andi %c, %d : tile<i1>
    if %0 {
      return
    }
    %p = print_tko "after" -> token
    return
  }
  testing$func @elses_differ(%c: tile<i1>, %d: tile<i1>, %a: tile<i32>, %b: tile<i32>) -> tile<i32> {
    %0 = if %c -> (tile<i32>) {
      %1 = if %d -> (tile<i32>) {
        %x = addi %a, %a : tile<i32>
        yield %x : tile<i32>
      } else {
        yield %b : tile<i32>
      }
      yield %1 : tile<i32>
    } else {
      yield %a : tile<i32>
    }
    return %0 : tile<i32>
  }
  entry @else_does_something(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        %p = print_tko "both" -> token
      } else {
        %q = print_tko "first" -> token
      }
    }
    return
  }
  entry @something_before(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      %q = print_tko "first" -> token
      if %d {
        %p = print_tko "both" -> token
      }
    }
    return
  }
  entry @inner_exits_and_there_is_an_else(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        return
      } else {
        %q = print_tko "second" -> token
      }
    }
    %p = print_tko "after" -> token
    return
  }
}
// rewrites:
//    7 if_combine_nested
//   15 if_convert_to_select
//   15 if_combine_nested
//   29 if_combine_nested
