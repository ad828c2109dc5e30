// test: parse
// `mmai`: the signedness of both operands.

cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<16x8xi8>
    %b = constant <i8: 2> : tile<8x4xi8>
    %c = constant <i32: 0> : tile<16x4xi32>
    %r0 = mmai %a, %b, %c signed signed : tile<16x8xi8>, tile<8x4xi8>, tile<16x4xi32>
    %r1 = mmai %a, %b, %c signed unsigned : tile<16x8xi8>, tile<8x4xi8>, tile<16x4xi32>
    %r2 = mmai %a, %b, %c unsigned signed : tile<16x8xi8>, tile<8x4xi8>, tile<16x4xi32>
    %r3 = mmai %a, %b, %c unsigned unsigned : tile<16x8xi8>, tile<8x4xi8>, tile<16x4xi32>
    %x = constant <i8: 1> : tile<2x16x8xi8>
    %y = constant <i8: 2> : tile<2x8x4xi8>
    %z = constant <i32: 0> : tile<2x16x4xi32>
    %r = mmai %x, %y, %z signed unsigned : tile<2x16x8xi8>, tile<2x8x4xi8>, tile<2x16x4xi32>
    return
  }
}
