// test: parse
// `itof`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = itof %i signed : tile<4xi32> -> tile<4xf64>
    return
  }
}
