// test: opt --passes=canonicalize
// Results that nothing uses go; a branch that exits has none to trim.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>, %t: tile<2x4xf32>) -> tile<2x4xf32> {
    %0, %1, %2 = if %c -> (tile<i32>, tile<2x4xf32>, tile<i32>) {
      %x = addi %a, %a : tile<i32>
      %y = addf %t, %t : tile<2x4xf32>
      yield %x, %y, %a : tile<i32>, tile<2x4xf32>, tile<i32>
    } else {
      %p = print_tko "else" -> token
      %z = negf %t : tile<2x4xf32>
      yield %a, %z, %a : tile<i32>, tile<2x4xf32>, tile<i32>
    }
    return %1 : tile<2x4xf32>
  }
  entry @one_branch_exits(%c: tile<i1>, %a: tile<i32>) {
    %0 = if %c -> (tile<i32>) {
      return
    } else {
      %p = print_tko "else" -> token
      yield %a : tile<i32>
    }
    %p = print_tko "after" -> token
    return
  }
  testing$func @all_are_used(%c: tile<i1>, %a: tile<i32>) -> tile<i32> {
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
  testing$func @fires(%c: tile<i1>, %a: tile<i32>, %t: tile<2x4xf32>) -> tile<2x4xf32> {
    %0 = if %c -> (tile<2x4xf32>) {
      %y = addf %t, %t : tile<2x4xf32>
      yield %y : tile<2x4xf32>
    } else {
      %p = print_tko "else" -> token
      %z = negf %t : tile<2x4xf32>
      yield %z : tile<2x4xf32>
    }
    return %0 : tile<2x4xf32>
  }
  entry @one_branch_exits(%c: tile<i1>, %a: tile<i32>) {
    if %c {
      return
    } else {
      %p = print_tko "else" -> token
    }
    %p = print_tko "after" -> token
    return
  }
  testing$func @all_are_used(%c: tile<i1>, %a: tile<i32>) -> tile<i32> {
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
//    6 if_remove_unused_results
//    7 dead_code
//   18 if_remove_unused_results
