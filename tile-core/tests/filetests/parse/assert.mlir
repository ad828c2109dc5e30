// test: parse
// `assert`: a message with escapes, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    %m = constant <i1: true> : tile<2x4xi1>
    assert %c, "failed" : tile<i1>
    assert %m, "a \22quoted\22 word, a back\\slash,\0Atwo lines, \09\C3\A9" : tile<2x4xi1>
    assert %c, "" : tile<i1>
    return
  }
}
