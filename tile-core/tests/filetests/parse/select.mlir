// test: parse
// `select`: the types of the condition and of the values.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %c = constant <i1: true> : tile<4xi1>
    %r = select %c, %i, %i : tile<4xi1>, tile<4xi32>
    return
  }
}
