// test: opt --passes=canonicalize
// select c, a, a = a; of other values it stays.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<f32>, %m: tile<2x4xi1>, %t: tile<2x4xi32>) -> (tile<f32>, tile<2x4xi32>) {
    %r = select %c, %a, %a : tile<i1>, tile<f32>
    %s = select %m, %t, %t : tile<2x4xi1>, tile<2x4xi32>
    return %r, %s : tile<f32>, tile<2x4xi32>
  }
  testing$func @one_short(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) -> tile<f32> {
    %r = select %c, %a, %b : tile<i1>, tile<f32>
    return %r : tile<f32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<f32>, %m: tile<2x4xi1>, %t: tile<2x4xi32>) -> (tile<f32>, tile<2x4xi32>) {
    return %a, %t : tile<f32>, tile<2x4xi32>
  }
  testing$func @one_short(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) -> tile<f32> {
    %r = select %c, %a, %b : tile<i1>, tile<f32>
    return %r : tile<f32>
  }
}
// rewrites:
//    6 select_same_arms
//    7 select_same_arms
