// test: opt --passes=canonicalize
// if (xori c, true) A else B = if c B else A, where there is an else.

cuda_tile.module @m {
  entry @fires(%c: tile<i1>, %a: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    if %n {
      %t = print_tko "then" -> token
    } else {
      %t = print_tko "else" -> token
    }
    return
  }
  entry @no_else(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    if %n {
      %t = print_tko "then" -> token
    }
    return
  }
  entry @constant_on_the_left(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %true, %c : tile<i1>
    if %n {
      %t = print_tko "then" -> token
    } else {
      %t = print_tko "else" -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @fires(%c: tile<i1>, %a: tile<i32>) {
    if %c {
      %t = print_tko "else" -> token
    } else {
      %t = print_tko "then" -> token
    }
    return
  }
  entry @no_else(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    if %n {
      %t = print_tko "then" -> token
    }
    return
  }
  entry @constant_on_the_left(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %true, %c : tile<i1>
    if %n {
      %t = print_tko "then" -> token
    } else {
      %t = print_tko "else" -> token
    }
    return
  }
}
// rewrites:
//    8 if_negated_condition
//    7 dead_code
//    6 dead_code
