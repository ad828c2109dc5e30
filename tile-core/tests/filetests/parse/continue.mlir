// test: parse
// `continue` in a branch.

cuda_tile.module @m {
  entry @k() {
    %lb = constant <i32: 0> : tile<i32>
    %c = constant <i1: true> : tile<i1>
    %r = for %i in (%lb to %lb, step %lb) : tile<i32> iter_values(%a = %lb) -> (tile<i32>) {
      if %c {
        continue %a : tile<i32>
      }
      continue %i : tile<i32>
    }
    return
  }
}
