// test: parse
// `ptx.inline`: with and without operands, with several results.

cuda_tile.module @m {
  entry @k(%i: tile<i32>, %l: tile<i64>) {
    ptx.inline "bar.sync 0;" ()
    %a = ptx.inline "not.b32 {0}, {1};" (%i) : tile<i32> -> (tile<i32>)
    %b, %c = ptx.inline_pure "mov.b64 {{{0}, {1}}}, {2};" (%l) : tile<i64> -> (tile<i32>, tile<i32>)
    %d = ptx.inline_pure "mov.u32 {0}, %smid;" () -> tile<i32>
    %t = iota : tile<8xi16>
    %e = ptx.inline "mov.b32 {0}, {1};" pack = 2 (%t) : tile<8xi16> -> (tile<8xi16>)
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%i: tile<i32>, %l: tile<i64>) {
    ptx.inline "bar.sync 0;" ()
    %a = ptx.inline "not.b32 {0}, {1};" (%i) : tile<i32> -> (tile<i32>)
    %b, %c = ptx.inline_pure "mov.b64 {{{0}, {1}}}, {2};" (%l) : tile<i64> -> (tile<i32>, tile<i32>)
    %d = ptx.inline_pure "mov.u32 {0}, %smid;" () -> (tile<i32>)
    %t = iota : tile<8xi16>
    %e = ptx.inline "mov.b32 {0}, {1};" pack = 2 (%t) : tile<8xi16> -> (tile<8xi16>)
    return
  }
}
