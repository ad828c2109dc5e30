// test: opt --passes=canonicalize
// A result that both branches give is that value; true and false are the condition, at the
// shape of the result, and false and true its negation.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>) -> (tile<i32>, tile<i1>, tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %0, %1, %2 = if %c -> (tile<i32>, tile<i1>, tile<i1>) {
      %p = print_tko "then" -> token
      yield %a, %true, %false : tile<i32>, tile<i1>, tile<i1>
    } else {
      yield %a, %false, %true : tile<i32>, tile<i1>, tile<i1>
    }
    return %0, %1, %2 : tile<i32>, tile<i1>, tile<i1>
  }
  testing$func @rank_2(%c: tile<i1>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %true = constant <i1: true> : tile<2x4xi1>
    %false = constant <i1: false> : tile<2x4xi1>
    %0, %1 = if %c -> (tile<2x4xi1>, tile<2x4xi1>) {
      %p = print_tko "then" -> token
      yield %true, %false : tile<2x4xi1>, tile<2x4xi1>
    } else {
      yield %false, %true : tile<2x4xi1>, tile<2x4xi1>
    }
    return %0, %1 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @token(%c: tile<i1>, %t: token) -> token {
    %0 = if %c -> (token) {
      %p = print_tko "then" -> token
      yield %t : token
    } else {
      yield %t : token
    }
    return %0 : token
  }
  testing$func @one_short(%c: tile<i1>, %a: tile<i32>) -> tile<i32> {
    %0 = if %c -> (tile<i32>) {
      %x = addi %a, %a : tile<i32>
      yield %x : tile<i32>
    } else {
      yield %a : tile<i32>
    }
    return %0 : tile<i32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>) -> (tile<i32>, tile<i1>, tile<i1>) {
    %0 = constant <i1: true> : tile<i1>
    %1 = xori %c, %0 : tile<i1>
    if %c {
      %p = print_tko "then" -> token
    }
    return %a, %c, %1 : tile<i32>, tile<i1>, tile<i1>
  }
  testing$func @rank_2(%c: tile<i1>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i1: true> : tile<i1>
    %1 = reshape %c : tile<i1> -> tile<1x1xi1>
    %2 = broadcast %1 : tile<1x1xi1> -> tile<2x4xi1>
    %3 = xori %c, %0 : tile<i1>
    %4 = reshape %3 : tile<i1> -> tile<1x1xi1>
    %5 = broadcast %4 : tile<1x1xi1> -> tile<2x4xi1>
    if %c {
      %p = print_tko "then" -> token
    }
    return %2, %5 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @token(%c: tile<i1>, %t: token) -> token {
    if %c {
      %p = print_tko "then" -> token
    }
    return %t : token
  }
  testing$func @one_short(%c: tile<i1>, %a: tile<i32>) -> tile<i32> {
    %0 = if %c -> (tile<i32>) {
      %x = addi %a, %a : tile<i32>
      yield %x : tile<i32>
    } else {
      yield %a : tile<i32>
    }
    return %0 : tile<i32>
  }
}
// rewrites:
//    9 if_replace_yield_with_value
//    9 if_remove_unused_results
//    9 if_remove_empty_else_branch
//    8 dead_code
//    7 dead_code
//   20 if_replace_yield_with_value
//   20 if_remove_unused_results
//   20 if_remove_empty_else_branch
//   19 dead_code
//   18 dead_code
//   29 if_replace_yield_with_value
//   29 if_remove_unused_results
//   29 if_remove_empty_else_branch
