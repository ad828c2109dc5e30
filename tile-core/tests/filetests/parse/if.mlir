// test: parse
// With and without `else`; a `yield` without operands is not written.

cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<i1>
    if %c {
    }
    if %c {
    } else {
      return
    }
    %r = if %c -> (tile<i1>) {
      yield %c : tile<i1>
    } else {
      %n = xori %c, %c : tile<i1>
      yield %n : tile<i1>
    }
    return
  }
}
