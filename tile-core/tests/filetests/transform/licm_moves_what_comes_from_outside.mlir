// test: opt --passes=licm
// A chain that does not use the counter goes in front of the loop, in order; what uses
// the counter or a carried value stays.

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %x: tile<4x8xf32>, %n: tile<i32>) -> (tile<i32>, tile<4x8xf32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r:2 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero, %y = %x) -> (tile<i32>, tile<4x8xf32>) {
      %b = addi %a, %one : tile<i32>
      %c = muli %b, %b : tile<i32>
      %d = addi %c, %i : tile<i32>
      %e = addi %s, %d : tile<i32>
      %z = mulf %x, %x : tile<4x8xf32>
      %w = addf %y, %z : tile<4x8xf32>
      continue %e, %w : tile<i32>, tile<4x8xf32>
    }
    return %r#0, %r#1 : tile<i32>, tile<4x8xf32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %x: tile<4x8xf32>, %n: tile<i32>) -> (tile<i32>, tile<4x8xf32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %b = addi %a, %one : tile<i32>
    %c = muli %b, %b : tile<i32>
    %z = mulf %x, %x : tile<4x8xf32>
    %r_0, %r_1 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero, %y = %x) -> (tile<i32>, tile<4x8xf32>) {
      %d = addi %c, %i : tile<i32>
      %e = addi %s, %d : tile<i32>
      %w = addf %y, %z : tile<4x8xf32>
      continue %e, %w : tile<i32>, tile<4x8xf32>
    }
    return %r_0, %r_1 : tile<i32>, tile<4x8xf32>
  }
}
// rewrites:
//   10 hoist
//   11 hoist
//   14 hoist
