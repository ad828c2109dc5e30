// test: opt --passes=loop-split
// The counter below 5, at most 5, above 5 and at least 5, by steps of one: the branch that
// holds first is in the first loop. With the counter on the right the question is mirrored.

cuda_tile.module @m {
  testing$func @f(%low: tile<i32>, %n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    for %i in (%low to %n, step %one) : tile<i32> {
      %c = cmpi less_than %i, %five, signed : tile<i32> -> tile<i1>
      if %c {
        print_tko "below" -> token
      } else {
        print_tko "rest" -> token
      }
    }
    for %i in (%low to %n, step %one) : tile<i32> {
      %c = cmpi less_than_or_equal %i, %five, signed : tile<i32> -> tile<i1>
      if %c {
        print_tko "at most" -> token
      }
    }
    for unsigned %i in (%low to %n, step %one) : tile<i32> {
      %c = cmpi greater_than %i, %five, unsigned : tile<i32> -> tile<i1>
      if %c {
        print_tko "above" -> token
      }
    }
    for %i in (%low to %n, step %one) : tile<i32> {
      %c = cmpi less_than_or_equal %five, %i, signed : tile<i32> -> tile<i1>
      if %c {
        print_tko "at least" -> token
      }
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%low: tile<i32>, %n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %0 = mini %five, %n signed : tile<i32>
    %1 = maxi %five, %low signed : tile<i32>
    for %i in (%low to %0, step %one) : tile<i32> {
      %2 = print_tko "below" -> token
    }
    for %i in (%1 to %n, step %one) : tile<i32> {
      %3 = print_tko "rest" -> token
    }
    %4 = constant <i32: 1> : tile<i32>
    %5 = addi %five, %4 : tile<i32>
    %6 = mini %5, %n signed : tile<i32>
    %7 = maxi %5, %low signed : tile<i32>
    for %i in (%low to %6, step %one) : tile<i32> {
      %8 = print_tko "at most" -> token
    }
    for %i in (%7 to %n, step %one) : tile<i32> {
    }
    %9 = constant <i32: 1> : tile<i32>
    %10 = addi %five, %9 : tile<i32>
    %11 = mini %10, %n unsigned : tile<i32>
    %12 = maxi %10, %low unsigned : tile<i32>
    for unsigned %i in (%low to %11, step %one) : tile<i32> {
    }
    for unsigned %i in (%12 to %n, step %one) : tile<i32> {
      %13 = print_tko "above" -> token
    }
    %14 = mini %five, %n signed : tile<i32>
    %15 = maxi %five, %low signed : tile<i32>
    for %i in (%low to %14, step %one) : tile<i32> {
    }
    for %i in (%15 to %n, step %one) : tile<i32> {
      %16 = print_tko "at least" -> token
    }
    return
  }
}
// rewrites:
//    9 loop_split
//   17 loop_split
//   23 loop_split
//   29 loop_split
