// test: parse
// A string may hold one number for all elements, or few numbers; digits of either case.

cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: "0x0000803f"> : tile<2x4xf32>
    %b = constant <i16: "0x01000200FfFf0080"> : tile<2x2xi16>
    %c = constant <i1: "0x01"> : tile<i1>
  }
}
// output:
cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %b = constant <i16: [[1, 2], [-1, -32768]]> : tile<2x2xi16>
    %c = constant <i1: true> : tile<i1>
    return
  }
}
