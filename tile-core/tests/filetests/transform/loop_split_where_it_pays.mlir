// test: opt --passes=loop-split{threshold=3}
// Three operations, or one that takes long, in a branch; two light ones do not pay. The
// attribute of the loop stands above the option.

cuda_tile.module @m {
  testing$func @f(%n: tile<i32>, %r: tile<i32>, %p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %c = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
      if %c {
        %a = addi %i, %i : tile<i32>
        print_tko "light %d", %a : tile<i32> -> token
      }
    }
    for %i in (%zero to %n, step %one) : tile<i32> {
      %c = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
      if %c {
        %a = addi %i, %i : tile<i32>
        %b = addi %a, %i : tile<i32>
        print_tko "three %d", %b : tile<i32> -> token
      }
    }
    for %i in (%zero to %n, step %one) : tile<i32> {
      %c = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
      if %c {
        store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      }
    }
    for %i in (%zero to %n, step %one) : tile<i32> {
      %c = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
      if %c {
        print_tko "asked for" -> token
      }
    } {cuda_tile.loop_split = 1 : i32}
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>, %r: tile<i32>, %p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %c = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
      if %c {
        %a = addi %i, %i : tile<i32>
        %0 = print_tko "light %d", %a : tile<i32> -> token
      }
    }
    %1 = mini %r, %n signed : tile<i32>
    %2 = maxi %r, %zero signed : tile<i32>
    for %i in (%zero to %1, step %one) : tile<i32> {
      %a = addi %i, %i : tile<i32>
      %b = addi %a, %i : tile<i32>
      %3 = print_tko "three %d", %b : tile<i32> -> token
    }
    for %i in (%2 to %n, step %one) : tile<i32> {
    }
    %4 = mini %r, %n signed : tile<i32>
    %5 = maxi %r, %zero signed : tile<i32>
    for %i in (%zero to %4, step %one) : tile<i32> {
      %6 = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
    }
    for %i in (%5 to %n, step %one) : tile<i32> {
    }
    %7 = mini %r, %n signed : tile<i32>
    %8 = maxi %r, %zero signed : tile<i32>
    for %i in (%zero to %7, step %one) : tile<i32> {
      %9 = print_tko "asked for" -> token
    } {cuda_tile.loop_split = 1 : i32}
    for %i in (%8 to %n, step %one) : tile<i32> {
    } {cuda_tile.loop_split = 1 : i32}
    return
  }
}
// rewrites:
//   16 loop_split
//   24 loop_split
//   30 loop_split
