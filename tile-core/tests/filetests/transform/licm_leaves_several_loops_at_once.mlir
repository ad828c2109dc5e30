// test: opt --passes=licm
// From the inner loop: `%b` uses nothing of either loop, `%c` the outer counter, and `%d`
// the inner one.

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %n: tile<i32>) -> tile<i32> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %t = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%u = %s) -> (tile<i32>) {
        %b = xori %a, %one : tile<i32>
        %c = addi %b, %i : tile<i32>
        %d = muli %c, %j : tile<i32>
        %e = addi %d, %u : tile<i32>
        continue %e : tile<i32>
      }
      continue %t : tile<i32>
    }
    return %r : tile<i32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %n: tile<i32>) -> tile<i32> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %b = xori %a, %one : tile<i32>
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %c = addi %b, %i : tile<i32>
      %t = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%u = %s) -> (tile<i32>) {
        %d = muli %c, %j : tile<i32>
        %e = addi %d, %u : tile<i32>
        continue %e : tile<i32>
      }
      continue %t : tile<i32>
    }
    return %r : tile<i32>
  }
}
// rewrites:
//   11 hoist
//   12 hoist
