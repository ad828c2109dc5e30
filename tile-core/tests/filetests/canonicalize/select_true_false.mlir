// test: opt --passes=canonicalize
// select c, true, false = c, of i1 only.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %m: tile<2x4xi1>) -> (tile<i1>, tile<2x4xi1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %trues = constant <i1: true> : tile<2x4xi1>
    %falses = constant <i1: false> : tile<2x4xi1>
    %0 = select %c, %true, %false : tile<i1>, tile<i1>
    %1 = select %m, %trues, %falses : tile<2x4xi1>, tile<2x4xi1>
    return %0, %1 : tile<i1>, tile<2x4xi1>
  }
  testing$func @one_short(%m: tile<2xi1>) -> (tile<2xi1>, tile<2xi1>) {
    %trues = constant <i1: true> : tile<2xi1>
    %mixed = constant <i1: [false, true]> : tile<2xi1>
    %0 = select %m, %trues, %mixed : tile<2xi1>, tile<2xi1>
    %1 = select %m, %mixed, %trues : tile<2xi1>, tile<2xi1>
    return %0, %1 : tile<2xi1>, tile<2xi1>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %m: tile<2x4xi1>) -> (tile<i1>, tile<2x4xi1>) {
    return %c, %m : tile<i1>, tile<2x4xi1>
  }
  testing$func @one_short(%m: tile<2xi1>) -> (tile<2xi1>, tile<2xi1>) {
    %trues = constant <i1: true> : tile<2xi1>
    %mixed = constant <i1: [false, true]> : tile<2xi1>
    %0 = select %m, %trues, %mixed : tile<2xi1>, tile<2xi1>
    %1 = select %m, %mixed, %trues : tile<2xi1>, tile<2xi1>
    return %0, %1 : tile<2xi1>, tile<2xi1>
  }
}
// rewrites:
//   10 select_true_false
//    7 dead_code
//    6 dead_code
//   11 select_true_false
//    9 dead_code
//    8 dead_code
