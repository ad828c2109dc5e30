// test: opt --passes=fuse-fma
// Another use of the product, another rounding, another flush, a product to subtract, a
// shape in between. A product of both sides fuses the left one.

cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %v: tile<1xf32>) -> (tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<1xf32>, tile<f32>) {
    %m0 = mulf %a, %b : tile<f32>
    %s0 = addf %m0, %m0 : tile<f32>
    %m1 = mulf %a, %b : tile<f32>
    %s1 = addf %m1, %c : tile<f32>
    %m2 = mulf %a, %b rounding<zero> : tile<f32>
    %s2 = addf %m2, %c : tile<f32>
    %m3 = mulf %a, %b flush_to_zero : tile<f32>
    %s3 = addf %m3, %c : tile<f32>
    %m4 = mulf %a, %b : tile<f32>
    %s4 = subf %c, %m4 : tile<f32>
    %m5 = mulf %a, %b : tile<f32>
    %r5 = reshape %m5 : tile<f32> -> tile<1xf32>
    %s5 = addf %r5, %v : tile<1xf32>
    %m6 = mulf %a, %b : tile<f32>
    %m7 = mulf %b, %c : tile<f32>
    %s6 = addf %m6, %m7 : tile<f32>
    return %s0, %m1, %s1, %s2, %s3, %s4, %s5, %s6 : tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<1xf32>, tile<f32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %v: tile<1xf32>) -> (tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<1xf32>, tile<f32>) {
    %m0 = mulf %a, %b : tile<f32>
    %s0 = addf %m0, %m0 : tile<f32>
    %m1 = mulf %a, %b : tile<f32>
    %s1 = addf %m1, %c : tile<f32>
    %m2 = mulf %a, %b rounding<zero> : tile<f32>
    %s2 = addf %m2, %c : tile<f32>
    %m3 = mulf %a, %b flush_to_zero : tile<f32>
    %s3 = addf %m3, %c : tile<f32>
    %m4 = mulf %a, %b : tile<f32>
    %s4 = subf %c, %m4 : tile<f32>
    %m5 = mulf %a, %b : tile<f32>
    %r5 = reshape %m5 : tile<f32> -> tile<1xf32>
    %s5 = addf %r5, %v : tile<1xf32>
    %m7 = mulf %b, %c : tile<f32>
    %s6 = fma %a, %b, %m7 : tile<f32>
    return %s0, %m1, %s1, %s2, %s3, %s4, %s5, %s6 : tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<1xf32>, tile<f32>
  }
}
// rewrites:
//   22 fuse_addf
