// test: opt --passes=canonicalize
// Equal arms come before a constant condition, that before true and false arms, and a
// negated condition before nested ones, so that one rule leaves the other something.

cuda_tile.module @m {
  testing$func @order(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) -> (tile<f32>, tile<i1>, tile<f32>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %n = xori %c, %true : tile<i1>
    %0 = select %true, %a, %a : tile<i1>, tile<f32>
    %1 = select %true, %true, %false : tile<i1>, tile<i1>
    %i = select %n, %a, %b : tile<i1>, tile<f32>
    %2 = select %n, %i, %b : tile<i1>, tile<f32>
    return %0, %1, %2 : tile<f32>, tile<i1>, tile<f32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @order(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) -> (tile<f32>, tile<i1>, tile<f32>) {
    %true = constant <i1: true> : tile<i1>
    %0 = select %c, %b, %a : tile<i1>, tile<f32>
    return %a, %true, %0 : tile<f32>, tile<i1>, tile<f32>
  }
}
// rewrites:
//   10 select_same_arms
//   11 select_constant_condition
//    8 dead_code
//   12 select_negated_condition
//   13 select_negated_condition
//   13 select_nested_false_arm
//   12 dead_code
//    9 dead_code
