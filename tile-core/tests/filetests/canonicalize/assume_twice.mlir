// test: opt --passes=canonicalize
// An assumption that is made of what it was made of already goes; another one stays.

cuda_tile.module @m {
  testing$func @fires(%a: tile<i32>, %t: tile<2x4xi32>) -> (tile<i32>, tile<2x4xi32>) {
    %0 = assume div_by<8>, %a : tile<i32>
    %1 = assume div_by<8>, %0 : tile<i32>
    %2 = assume bounded<0, ?>, %t : tile<2x4xi32>
    %3 = assume bounded<0, ?>, %2 : tile<2x4xi32>
    return %1, %3 : tile<i32>, tile<2x4xi32>
  }
  testing$func @one_short(%a: tile<i32>) -> tile<i32> {
    %0 = assume div_by<8>, %a : tile<i32>
    %1 = assume div_by<16>, %0 : tile<i32>
    %2 = assume div_by<8>, %1 : tile<i32>
    return %2 : tile<i32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%a: tile<i32>, %t: tile<2x4xi32>) -> (tile<i32>, tile<2x4xi32>) {
    %0 = assume div_by<8>, %a : tile<i32>
    %1 = assume bounded<0, ?>, %t : tile<2x4xi32>
    return %0, %1 : tile<i32>, tile<2x4xi32>
  }
  testing$func @one_short(%a: tile<i32>) -> tile<i32> {
    %0 = assume div_by<8>, %a : tile<i32>
    %1 = assume div_by<16>, %0 : tile<i32>
    %2 = assume div_by<8>, %1 : tile<i32>
    return %2 : tile<i32>
  }
}
// rewrites:
//    7 assume_twice
//    9 assume_twice
