// test: parse
// `yield` gives the results of a branch.

cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<i1>
    %a, %b = if %c -> (tile<i1>, tile<i1>) {
      yield %c, %c : tile<i1>, tile<i1>
    } else {
      yield %c, %c : tile<i1>, tile<i1>
    }
    return
  }
}
