// test: opt --passes=canonicalize
// select (xori c, true), a, b = select c, b, a, with the constant on the right.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>, %m: tile<2x4xi1>, %t: tile<2x4xi32>, %u: tile<2x4xi32>) -> (tile<f32>, tile<2x4xi32>) {
    %true = constant <i1: true> : tile<i1>
    %trues = constant <i1: true> : tile<2x4xi1>
    %n = xori %c, %true : tile<i1>
    %ns = xori %m, %trues : tile<2x4xi1>
    %0 = select %n, %a, %b : tile<i1>, tile<f32>
    %1 = select %ns, %t, %u : tile<2x4xi1>, tile<2x4xi32>
    return %0, %1 : tile<f32>, tile<2x4xi32>
  }
  testing$func @one_short(%c: tile<i1>, %d: tile<i1>, %a: tile<f32>, %b: tile<f32>, %m: tile<2xi1>, %t: tile<2xi8>, %u: tile<2xi8>) -> (tile<f32>, tile<f32>, tile<2xi8>) {
    %true = constant <i1: true> : tile<i1>
    %mixed = constant <i1: [true, false]> : tile<2xi1>
    %left = xori %true, %c : tile<i1>
    %two = xori %c, %d : tile<i1>
    %some = xori %m, %mixed : tile<2xi1>
    %0 = select %left, %a, %b : tile<i1>, tile<f32>
    %1 = select %two, %a, %b : tile<i1>, tile<f32>
    %2 = select %some, %t, %u : tile<2xi1>, tile<2xi8>
    return %0, %1, %2 : tile<f32>, tile<f32>, tile<2xi8>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>, %m: tile<2x4xi1>, %t: tile<2x4xi32>, %u: tile<2x4xi32>) -> (tile<f32>, tile<2x4xi32>) {
    %0 = select %c, %b, %a : tile<i1>, tile<f32>
    %1 = select %m, %u, %t : tile<2x4xi1>, tile<2x4xi32>
    return %0, %1 : tile<f32>, tile<2x4xi32>
  }
  testing$func @one_short(%c: tile<i1>, %d: tile<i1>, %a: tile<f32>, %b: tile<f32>, %m: tile<2xi1>, %t: tile<2xi8>, %u: tile<2xi8>) -> (tile<f32>, tile<f32>, tile<2xi8>) {
    %true = constant <i1: true> : tile<i1>
    %mixed = constant <i1: [true, false]> : tile<2xi1>
    %left = xori %true, %c : tile<i1>
    %two = xori %c, %d : tile<i1>
    %some = xori %m, %mixed : tile<2xi1>
    %0 = select %left, %a, %b : tile<i1>, tile<f32>
    %1 = select %two, %a, %b : tile<i1>, tile<f32>
    %2 = select %some, %t, %u : tile<2xi1>, tile<2xi8>
    return %0, %1, %2 : tile<f32>, tile<f32>, tile<2xi8>
  }
}
// rewrites:
//   10 select_negated_condition
//    8 dead_code
//    6 dead_code
//   11 select_negated_condition
//    9 dead_code
//    7 dead_code
