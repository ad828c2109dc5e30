// test: opt --passes=canonicalize
// What is chosen by the equality of both arms is the arm for when they differ.

cuda_tile.module @m {
  testing$func @fires(%a: tile<i32>, %b: tile<i32>, %t: tile<2x4xi8>, %u: tile<2x4xi8>) -> (tile<i32>, tile<i32>, tile<i32>, tile<2x4xi8>) {
    %eq = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    %ne = cmpi not_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    %eqs = cmpi equal %t, %u, signed : tile<2x4xi8> -> tile<2x4xi1>
    %0 = select %eq, %a, %b : tile<i1>, tile<i32>
    %1 = select %eq, %b, %a : tile<i1>, tile<i32>
    %2 = select %ne, %a, %b : tile<i1>, tile<i32>
    %3 = select %eqs, %u, %t : tile<2x4xi1>, tile<2x4xi8>
    return %0, %1, %2, %3 : tile<i32>, tile<i32>, tile<i32>, tile<2x4xi8>
  }
  testing$func @one_short(%a: tile<i32>, %b: tile<i32>, %c: tile<i32>) -> (tile<i32>, tile<i32>) {
    %eq = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    %lt = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    %0 = select %eq, %a, %c : tile<i1>, tile<i32>
    %1 = select %lt, %a, %b : tile<i1>, tile<i32>
    return %0, %1 : tile<i32>, tile<i32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%a: tile<i32>, %b: tile<i32>, %t: tile<2x4xi8>, %u: tile<2x4xi8>) -> (tile<i32>, tile<i32>, tile<i32>, tile<2x4xi8>) {
    return %b, %a, %a, %t : tile<i32>, tile<i32>, tile<i32>, tile<2x4xi8>
  }
  testing$func @one_short(%a: tile<i32>, %b: tile<i32>, %c: tile<i32>) -> (tile<i32>, tile<i32>) {
    %eq = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    %lt = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    %0 = select %eq, %a, %c : tile<i1>, tile<i32>
    %1 = select %lt, %a, %b : tile<i1>, tile<i32>
    return %0, %1 : tile<i32>, tile<i32>
  }
}
// rewrites:
//    9 select_equal
//   10 select_equal
//    6 dead_code
//   11 select_not_equal
//    7 dead_code
//   12 select_equal
//    8 dead_code
