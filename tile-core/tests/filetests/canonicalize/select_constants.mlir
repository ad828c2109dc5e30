// test: opt --passes=canonicalize
// A constant condition and constant arms give a constant, element by element.

cuda_tile.module @m {
  testing$func @fires() -> (tile<4xi32>, tile<2x2xf32>, tile<2xi8>) {
    %m = constant <i1: [true, false, false, true]> : tile<4xi1>
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %b = constant <i32: 9> : tile<4xi32>
    %0 = select %m, %a, %b : tile<4xi1>, tile<4xi32>
    %mm = constant <i1: [[true, false], [false, true]]> : tile<2x2xi1>
    %x = constant <f32: 0xFFC00001> : tile<2x2xf32>
    %y = constant <f32: -0.0> : tile<2x2xf32>
    %1 = select %mm, %x, %y : tile<2x2xi1>, tile<2x2xf32>
    %n = constant <i1: [true, false]> : tile<2xi1>
    %p = constant <i8: [7, 1]> : tile<2xi8>
    %q = constant <i8: [1, 7]> : tile<2xi8>
    %2 = select %n, %p, %q : tile<2xi1>, tile<2xi8>
    return %0, %1, %2 : tile<4xi32>, tile<2x2xf32>, tile<2xi8>
  }
  testing$func @one_short(%v: tile<4xi32>, %c: tile<4xi1>) -> (tile<4xi32>, tile<4xi32>) {
    %m = constant <i1: [true, false, false, true]> : tile<4xi1>
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %b = constant <i32: 9> : tile<4xi32>
    %0 = select %m, %a, %v : tile<4xi1>, tile<4xi32>
    %1 = select %c, %a, %b : tile<4xi1>, tile<4xi32>
    return %0, %1 : tile<4xi32>, tile<4xi32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires() -> (tile<4xi32>, tile<2x2xf32>, tile<2xi8>) {
    %0 = constant <i32: [1, 9, 9, 4]> : tile<4xi32>
    %1 = constant <f32: [[0xFFC00001, -0.000000e+00], [-0.000000e+00, 0xFFC00001]]> : tile<2x2xf32>
    %2 = constant <i8: 7> : tile<2xi8>
    return %0, %1, %2 : tile<4xi32>, tile<2x2xf32>, tile<2xi8>
  }
  testing$func @one_short(%v: tile<4xi32>, %c: tile<4xi1>) -> (tile<4xi32>, tile<4xi32>) {
    %m = constant <i1: [true, false, false, true]> : tile<4xi1>
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %b = constant <i32: 9> : tile<4xi32>
    %0 = select %m, %a, %v : tile<4xi1>, tile<4xi32>
    %1 = select %c, %a, %b : tile<4xi1>, tile<4xi32>
    return %0, %1 : tile<4xi32>, tile<4xi32>
  }
}
// rewrites:
//    9 select_constants
//    8 dead_code
//    7 dead_code
//    6 dead_code
//   13 select_constants
//   12 dead_code
//   11 dead_code
//   10 dead_code
//   17 select_constants
//   16 dead_code
//   15 dead_code
//   14 dead_code
