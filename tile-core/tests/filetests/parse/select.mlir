// test: parse
// `select`: of numbers and of pointers, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %f: tile<f32>, %p: tile<ptr<f32>>) {
    %c = constant <i1: [[true, false], [false, true]]> : tile<2x2xi1>
    %a = constant <bf16: 1.000000e+00> : tile<2x2xbf16>
    %r0 = select %t, %f, %f : tile<i1>, tile<f32>
    %r1 = select %t, %p, %p : tile<i1>, tile<ptr<f32>>
    %r2 = select %c, %a, %a : tile<2x2xi1>, tile<2x2xbf16>
    %r3 = select %c, %c, %c : tile<2x2xi1>, tile<2x2xi1>
    return
  }
}
