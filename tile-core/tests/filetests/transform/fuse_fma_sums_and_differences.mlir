// test: opt --passes=fuse-fma
// A product and the sum or difference that alone uses it round once; the sum with the
// product on the right is turned first. Of rank 0 and 2.

cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %x: tile<2x4xf16>, %y: tile<2x4xf16>, %z: tile<2x4xf16>) -> (tile<f32>, tile<f32>, tile<2x4xf16>) {
    %m0 = mulf %a, %b : tile<f32>
    %s0 = addf %m0, %c : tile<f32>
    %m1 = mulf %a, %b rounding<zero> flush_to_zero : tile<f32>
    %s1 = addf %c, %m1 rounding<zero> flush_to_zero : tile<f32>
    %m2 = mulf %x, %y : tile<2x4xf16>
    %s2 = subf %m2, %z : tile<2x4xf16>
    return %s0, %s1, %s2 : tile<f32>, tile<f32>, tile<2x4xf16>
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %x: tile<2x4xf16>, %y: tile<2x4xf16>, %z: tile<2x4xf16>) -> (tile<f32>, tile<f32>, tile<2x4xf16>) {
    %s0 = fma %a, %b, %c : tile<f32>
    %s1 = fma %a, %b, %c rounding<zero> flush_to_zero : tile<f32>
    %0 = negf %z : tile<2x4xf16>
    %s2 = fma %x, %y, %0 : tile<2x4xf16>
    return %s0, %s1, %s2 : tile<f32>, tile<f32>, tile<2x4xf16>
  }
}
// rewrites:
//    8 fuse_addf
//   10 addf_product_first
//   10 fuse_addf
//   12 fuse_subf
