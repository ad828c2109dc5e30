// test: parse
// `iota`: every integer.

cuda_tile.module @m {
  entry @k() {
    %r0 = iota : tile<2xi1>
    %r1 = iota : tile<128xi8>
    %r2 = iota : tile<256xi16>
    %r3 = iota : tile<1xi32>
    %r4 = iota : tile<512xi64>
    return
  }
}
