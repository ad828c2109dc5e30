// test: parse
// `permute`: a list of axes.

cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 3> : tile<1x4x2xi32>
    %r0 = permute %a [2, 0, 1] : tile<1x4x2xi32> -> tile<2x1x4xi32>
    %b = constant <f64: 3.000000e+00> : tile<4x2xf64>
    %r1 = permute %b [1, 0] : tile<4x2xf64> -> tile<2x4xf64>
    return
  }
}
