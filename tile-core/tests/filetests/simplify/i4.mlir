// test: opt --passes=simplify
// Of `i4` there are neither constants nor arithmetic: what needs them stays, what only moves goes.

cuda_tile.module @m {
  testing$func @stays(%x: tile<i4>, %y: tile<i4>, %n: tile<i8>) -> (tile<i4>, tile<i1>, tile<i4>) {
    %c = constant <i8: 3> : tile<i8>
    %known = trunci %c : tile<i8> -> tile<i4>
    %a = exti %x signed : tile<i4> -> tile<i8>
    %b = exti %y signed : tile<i4> -> tile<i8>
    %less = cmpi less_than %a, %b, signed : tile<i8> -> tile<i1>
    %bit = trunci %x : tile<i4> -> tile<i1>
    %low = exti %bit unsigned : tile<i1> -> tile<i4>
    return %known, %less, %low : tile<i4>, tile<i1>, tile<i4>
  }
  testing$func @goes(%x: tile<2x4xi4>) -> (tile<2x4xi4>, tile<2x4xi4>) {
    %wide = exti %x signed : tile<2x4xi4> -> tile<2x4xi32>
    %back = trunci %wide : tile<2x4xi32> -> tile<2x4xi4>
    %same = reshape %x : tile<2x4xi4> -> tile<2x4xi4>
    return %back, %same : tile<2x4xi4>, tile<2x4xi4>
  }
}
// output:
cuda_tile.module @m {
  testing$func @stays(%x: tile<i4>, %y: tile<i4>, %n: tile<i8>) -> (tile<i4>, tile<i1>, tile<i4>) {
    %c = constant <i8: 3> : tile<i8>
    %known = trunci %c : tile<i8> -> tile<i4>
    %a = exti %x signed : tile<i4> -> tile<i8>
    %b = exti %y signed : tile<i4> -> tile<i8>
    %less = cmpi less_than %a, %b, signed : tile<i8> -> tile<i1>
    %bit = trunci %x : tile<i4> -> tile<i1>
    %low = exti %bit unsigned : tile<i1> -> tile<i4>
    return %known, %less, %low : tile<i4>, tile<i1>, tile<i4>
  }
  testing$func @goes(%x: tile<2x4xi4>) -> (tile<2x4xi4>, tile<2x4xi4>) {
    return %x, %x : tile<2x4xi4>, tile<2x4xi4>
  }
}
// rewrites:
//   17 trunc_of_ext
//   18 same_shape
