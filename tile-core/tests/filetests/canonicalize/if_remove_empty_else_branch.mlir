// test: opt --passes=canonicalize
// An else that only ends goes, where there are no results.

cuda_tile.module @m {
  entry @fires(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
    } else {
    }
    return
  }
  entry @not_empty(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
    } else {
      %q = print_tko "else" -> token
    }
    return
  }
  entry @exits(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
    } else {
      return
    }
    %q = print_tko "after" -> token
    return
  }
  testing$func @has_results(%c: tile<i1>, %s: token, %t: token) -> token {
    %0 = if %c -> (token) {
      yield %s : token
    } else {
      yield %t : token
    }
    return %0 : token
  }
}
// output:
cuda_tile.module @m {
  entry @fires(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
    }
    return
  }
  entry @not_empty(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
    } else {
      %q = print_tko "else" -> token
    }
    return
  }
  entry @exits(%c: tile<i1>) {
    if %c {
      %p = print_tko "then" -> token
    } else {
      return
    }
    %q = print_tko "after" -> token
    return
  }
  testing$func @has_results(%c: tile<i1>, %s: token, %t: token) -> token {
    %0 = if %c -> (token) {
      yield %s : token
    } else {
      yield %t : token
    }
    return %0 : token
  }
}
// rewrites:
//    6 if_remove_empty_else_branch
