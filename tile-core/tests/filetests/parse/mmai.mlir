// test: parse
// `mmai`: one signedness per factor.

cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<16x8xi8>
    %b = constant <i8: -1> : tile<8x4xi8>
    %c = constant <i32: 0> : tile<16x4xi32>
    %d = mmai %a, %b, %c unsigned signed : tile<16x8xi8>, tile<8x4xi8>, tile<16x4xi32>
    return
  }
}
