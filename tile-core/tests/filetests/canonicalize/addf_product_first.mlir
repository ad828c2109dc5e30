// test: opt --passes=canonicalize
// A product becomes the left operand of a sum, unless the left one is a product too.

cuda_tile.module @m {
  testing$func @fires(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %t: tile<2x4xf16>) -> (tile<f32>, tile<2x4xf16>) {
    %p = mulf %a, %b : tile<f32>
    %0 = addf %c, %p rounding<zero> flush_to_zero : tile<f32>
    %q = mulf %t, %t : tile<2x4xf16>
    %1 = addf %t, %q : tile<2x4xf16>
    return %0, %1 : tile<f32>, tile<2x4xf16>
  }
  testing$func @one_short(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) -> (tile<f32>, tile<f32>, tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %q = mulf %b, %c : tile<f32>
    %0 = addf %p, %q : tile<f32>
    %1 = addf %p, %c : tile<f32>
    %2 = subf %c, %p : tile<f32>
    return %0, %1, %2 : tile<f32>, tile<f32>, tile<f32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %t: tile<2x4xf16>) -> (tile<f32>, tile<2x4xf16>) {
    %p = mulf %a, %b : tile<f32>
    %0 = addf %p, %c rounding<zero> flush_to_zero : tile<f32>
    %q = mulf %t, %t : tile<2x4xf16>
    %1 = addf %q, %t : tile<2x4xf16>
    return %0, %1 : tile<f32>, tile<2x4xf16>
  }
  testing$func @one_short(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) -> (tile<f32>, tile<f32>, tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %q = mulf %b, %c : tile<f32>
    %0 = addf %p, %q : tile<f32>
    %1 = addf %p, %c : tile<f32>
    %2 = subf %c, %p : tile<f32>
    return %0, %1, %2 : tile<f32>, tile<f32>, tile<f32>
  }
}
// rewrites:
//    7 addf_product_first
//    9 addf_product_first
