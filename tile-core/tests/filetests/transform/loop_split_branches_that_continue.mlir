// test: opt --passes=loop-split
// The branch that is taken ends the iteration: what follows goes from that loop.

cuda_tile.module @m {
  testing$func @f(%n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %c = cmpi less_than %i, %five, signed : tile<i32> -> tile<i1>
      if %c {
        print_tko "early" -> token
        continue
      }
      print_tko "late" -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %0 = mini %five, %n signed : tile<i32>
    %1 = maxi %five, %zero signed : tile<i32>
    for %i in (%zero to %0, step %one) : tile<i32> {
      %2 = print_tko "early" -> token
    }
    for %i in (%1 to %n, step %one) : tile<i32> {
      %3 = print_tko "late" -> token
    }
    return
  }
}
// rewrites:
//    9 loop_split
