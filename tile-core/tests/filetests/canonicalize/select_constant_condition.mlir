// test: opt --passes=canonicalize
// A condition that is the same everywhere chooses one arm; one that is not does not.

cuda_tile.module @m {
  testing$func @fires(%a: tile<f32>, %b: tile<f32>, %t: tile<2x4xi32>, %u: tile<2x4xi32>) -> (tile<f32>, tile<f32>, tile<2x4xi32>, tile<2x4xi32>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %trues = constant <i1: true> : tile<2x4xi1>
    %falses = constant <i1: false> : tile<2x4xi1>
    %0 = select %true, %a, %b : tile<i1>, tile<f32>
    %1 = select %false, %a, %b : tile<i1>, tile<f32>
    %2 = select %trues, %t, %u : tile<2x4xi1>, tile<2x4xi32>
    %3 = select %falses, %t, %u : tile<2x4xi1>, tile<2x4xi32>
    return %0, %1, %2, %3 : tile<f32>, tile<f32>, tile<2x4xi32>, tile<2x4xi32>
  }
  testing$func @one_short(%t: tile<2xi32>, %u: tile<2xi32>) -> tile<2xi32> {
    %some = constant <i1: [true, false]> : tile<2xi1>
    %0 = select %some, %t, %u : tile<2xi1>, tile<2xi32>
    return %0 : tile<2xi32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%a: tile<f32>, %b: tile<f32>, %t: tile<2x4xi32>, %u: tile<2x4xi32>) -> (tile<f32>, tile<f32>, tile<2x4xi32>, tile<2x4xi32>) {
    return %a, %b, %t, %u : tile<f32>, tile<f32>, tile<2x4xi32>, tile<2x4xi32>
  }
  testing$func @one_short(%t: tile<2xi32>, %u: tile<2xi32>) -> tile<2xi32> {
    %some = constant <i1: [true, false]> : tile<2xi1>
    %0 = select %some, %t, %u : tile<2xi1>, tile<2xi32>
    return %0 : tile<2xi32>
  }
}
// rewrites:
//   10 select_constant_condition
//    6 dead_code
//   11 select_constant_condition
//    7 dead_code
//   12 select_constant_condition
//    8 dead_code
//   13 select_constant_condition
//    9 dead_code
