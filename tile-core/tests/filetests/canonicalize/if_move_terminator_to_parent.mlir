// test: opt --passes=canonicalize
// If both branches exit, the second stands after the `if`, and what stood there goes.

cuda_tile.module @m {
  entry @fires(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
      return
    } else {
      %p = print_tko "else" -> token
      return
    }
    %q = print_tko "never" -> token
    return
  }
  testing$func @in_a_loop(%c: tile<i1>, %a: tile<2x4xf32>) -> tile<2x4xf32> {
    %r = loop iter_values(%x = %a) : tile<2x4xf32> -> tile<2x4xf32> {
      %y = if %c -> (tile<2x4xf32>) {
        break %x : tile<2x4xf32>
      } else {
        %z = negf %x : tile<2x4xf32>
        continue %z : tile<2x4xf32>
      }
      %w = addf %y, %y : tile<2x4xf32>
      continue %w : tile<2x4xf32>
    }
    return %r : tile<2x4xf32>
  }
  entry @one_branch_yields(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
      return
    } else {
      %p = print_tko "else" -> token
    }
    %q = print_tko "after" -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @fires(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
      return
    }
    %p = print_tko "else" -> token
    return
  }
  testing$func @in_a_loop(%c: tile<i1>, %a: tile<2x4xf32>) -> tile<2x4xf32> {
    %r = loop iter_values(%x = %a) : tile<2x4xf32> -> tile<2x4xf32> {
      if %c {
        break %x : tile<2x4xf32>
      }
      %z = negf %x : tile<2x4xf32>
      continue %z : tile<2x4xf32>
    }
    return %r : tile<2x4xf32>
  }
  entry @one_branch_yields(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
      return
    } else {
      %p = print_tko "else" -> token
    }
    %q = print_tko "after" -> token
    return
  }
}
// rewrites:
//    6 if_move_terminator_to_parent
//   18 if_move_terminator_to_parent
