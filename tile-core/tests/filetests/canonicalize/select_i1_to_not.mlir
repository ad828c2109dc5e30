// test: opt --passes=canonicalize
// select c, false, true = xori c, true.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %m: tile<2x4xi1>) -> (tile<i1>, tile<2x4xi1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %trues = constant <i1: true> : tile<2x4xi1>
    %falses = constant <i1: false> : tile<2x4xi1>
    %0 = select %c, %false, %true : tile<i1>, tile<i1>
    %1 = select %m, %falses, %trues : tile<2x4xi1>, tile<2x4xi1>
    return %0, %1 : tile<i1>, tile<2x4xi1>
  }
  testing$func @one_short(%c: tile<i1>, %a: tile<i1>) -> (tile<i1>, tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %0 = select %c, %false, %a : tile<i1>, tile<i1>
    %1 = select %c, %a, %true : tile<i1>, tile<i1>
    return %0, %1 : tile<i1>, tile<i1>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %m: tile<2x4xi1>) -> (tile<i1>, tile<2x4xi1>) {
    %true = constant <i1: true> : tile<i1>
    %trues = constant <i1: true> : tile<2x4xi1>
    %0 = xori %c, %true : tile<i1>
    %1 = xori %m, %trues : tile<2x4xi1>
    return %0, %1 : tile<i1>, tile<2x4xi1>
  }
  testing$func @one_short(%c: tile<i1>, %a: tile<i1>) -> (tile<i1>, tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %0 = select %c, %false, %a : tile<i1>, tile<i1>
    %1 = select %c, %a, %true : tile<i1>, tile<i1>
    return %0, %1 : tile<i1>, tile<i1>
  }
}
// rewrites:
//   10 select_i1_to_not
//    7 dead_code
//   11 select_i1_to_not
//    9 dead_code
