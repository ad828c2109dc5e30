// test: opt --passes=loop-split
// Equality, another signedness, a bound from inside the loop, a comparison outside of the
// loop or in a branch, the counter on neither side, an attribute that says never.

cuda_tile.module @m {
  testing$func @f(%n: tile<i32>, %r: tile<i32>, %p: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %o = cmpi less_than %n, %r, signed : tile<i32> -> tile<i1>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %e = cmpi equal %i, %r, signed : tile<i32> -> tile<i1>
      if %e {
        print_tko "equal" -> token
      }
      %u = cmpi less_than %i, %r, unsigned : tile<i32> -> tile<i1>
      if %u {
        print_tko "unsigned" -> token
      }
      %d = muli %i, %i : tile<i32>
      %l = cmpi less_than %i, %d, signed : tile<i32> -> tile<i1>
      if %l {
        print_tko "inside" -> token
      }
      if %o {
        print_tko "outside" -> token
      }
      if %p {
        %b = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
        if %b {
          print_tko "branch" -> token
        }
      }
      %q = cmpi less_than %d, %r, signed : tile<i32> -> tile<i1>
      if %q {
        print_tko "square" -> token
      }
      %never = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
      if %never {
        print_tko "never" -> token
      } {cuda_tile.loop_split = 0 : i32}
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>, %r: tile<i32>, %p: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %o = cmpi less_than %n, %r, signed : tile<i32> -> tile<i1>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %e = cmpi equal %i, %r, signed : tile<i32> -> tile<i1>
      if %e {
        %0 = print_tko "equal" -> token
      }
      %u = cmpi less_than %i, %r, unsigned : tile<i32> -> tile<i1>
      if %u {
        %1 = print_tko "unsigned" -> token
      }
      %d = muli %i, %i : tile<i32>
      %l = cmpi less_than %i, %d, signed : tile<i32> -> tile<i1>
      if %l {
        %2 = print_tko "inside" -> token
      }
      if %o {
        %3 = print_tko "outside" -> token
      }
      if %p {
        %b = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
        if %b {
          %4 = print_tko "branch" -> token
        }
      }
      %q = cmpi less_than %d, %r, signed : tile<i32> -> tile<i1>
      if %q {
        %5 = print_tko "square" -> token
      }
      %never = cmpi less_than %i, %r, signed : tile<i32> -> tile<i1>
      if %never {
        %6 = print_tko "never" -> token
      } {cuda_tile.loop_split = 0 : i32}
    }
    return
  }
}
// rewrites:
