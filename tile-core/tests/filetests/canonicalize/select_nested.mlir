// test: opt --passes=canonicalize
// An arm that is chosen by the same condition is that arm's arm.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>, %d: tile<f32>, %m: tile<2x4xi1>, %t: tile<2x4xi32>, %u: tile<2x4xi32>, %v: tile<2x4xi32>) -> (tile<f32>, tile<f32>, tile<2x4xi32>) {
    %i = select %c, %a, %b : tile<i1>, tile<f32>
    %is = select %m, %t, %u : tile<2x4xi1>, tile<2x4xi32>
    %0 = select %c, %i, %d : tile<i1>, tile<f32>
    %1 = select %c, %d, %i : tile<i1>, tile<f32>
    %2 = select %m, %is, %v : tile<2x4xi1>, tile<2x4xi32>
    return %0, %1, %2 : tile<f32>, tile<f32>, tile<2x4xi32>
  }
  testing$func @one_short(%c: tile<i1>, %e: tile<i1>, %a: tile<f32>, %b: tile<f32>, %d: tile<f32>) -> (tile<f32>, tile<f32>) {
    %i = select %e, %a, %b : tile<i1>, tile<f32>
    %0 = select %c, %i, %d : tile<i1>, tile<f32>
    %1 = select %c, %d, %i : tile<i1>, tile<f32>
    return %0, %1 : tile<f32>, tile<f32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>, %d: tile<f32>, %m: tile<2x4xi1>, %t: tile<2x4xi32>, %u: tile<2x4xi32>, %v: tile<2x4xi32>) -> (tile<f32>, tile<f32>, tile<2x4xi32>) {
    %0 = select %c, %a, %d : tile<i1>, tile<f32>
    %1 = select %c, %d, %b : tile<i1>, tile<f32>
    %2 = select %m, %t, %v : tile<2x4xi1>, tile<2x4xi32>
    return %0, %1, %2 : tile<f32>, tile<f32>, tile<2x4xi32>
  }
  testing$func @one_short(%c: tile<i1>, %e: tile<i1>, %a: tile<f32>, %b: tile<f32>, %d: tile<f32>) -> (tile<f32>, tile<f32>) {
    %i = select %e, %a, %b : tile<i1>, tile<f32>
    %0 = select %c, %i, %d : tile<i1>, tile<f32>
    %1 = select %c, %d, %i : tile<i1>, tile<f32>
    return %0, %1 : tile<f32>, tile<f32>
  }
}
// rewrites:
//    8 select_nested_true_arm
//    9 select_nested_false_arm
//    6 dead_code
//   10 select_nested_true_arm
//    7 dead_code
