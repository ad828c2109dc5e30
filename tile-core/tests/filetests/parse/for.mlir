// test: parse
// Carried values; `continue` without operands is not written.

cuda_tile.module @m {
  entry @k() {
    %lb = constant <i32: 0> : tile<i32>
    %ub = constant <i32: 10> : tile<i32>
    %st = constant <i32: 1> : tile<i32>
    for %i in (%lb to %ub, step %st) : tile<i32> {
      %d = addi %i, %i : tile<i32>
    }
    %r = for unsigned %i in (%lb to %ub, step %st) : tile<i32> iter_values(%a = %lb) -> (tile<i32>) {
      %n = addi %a, %i : tile<i32>
      continue %n : tile<i32>
    }
    %p, %q = for %i in (%lb to %ub, step %st) : tile<i32> iter_values(%a = %lb, %b = %r) -> (tile<i32>, tile<i32>) {
      continue %b, %a : tile<i32>, tile<i32>
    }
    return
  }
}
