// test: parse
// `insert`: an index per axis, none for rank 0; the result has the type of the second
// operand.

cuda_tile.module @m {
  entry @k(%f: tile<f32>, %n: tile<i32>) {
    %a = constant <f32: 1.000000e+00> : tile<8x4xf32>
    %b = constant <f32: 2.000000e+00> : tile<2x4xf32>
    %r0 = insert %b, %a[%n, %n] : tile<2x4xf32>, tile<8x4xf32>
    %r1 = insert %f, %f[] : tile<f32>, tile<f32>
    return
  }
}
