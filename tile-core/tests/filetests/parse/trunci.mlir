// test: parse
// `trunci`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = trunci %i : tile<4xi32> -> tile<4xi8>
    %n = trunci %i overflow<no_wrap> : tile<4xi32> -> tile<4xi8>
    return
  }
}
