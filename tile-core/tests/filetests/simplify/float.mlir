// test: opt --passes=simplify
// Floats: identities that keep every bit.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @neg_neg_float_rank_0(%x: tile<f16>, %y: tile<f16>) -> tile<f16> {
    %v1 = negf %x : tile<f16>
    %v2 = negf %v1 : tile<f16>
    return %v2 : tile<f16>
  }
  testing$func @neg_neg_float_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> tile<2x4xf16> {
    %v1 = negf %x : tile<2x4xf16>
    %v2 = negf %v1 : tile<2x4xf16>
    return %v2 : tile<2x4xf16>
  }
  testing$func @neg_neg_float_one_short(%x: tile<f16>, %y: tile<f16>) -> tile<f16> {
    %v1 = absf %x : tile<f16>
    %v2 = negf %v1 : tile<f16>
    return %v2 : tile<f16>
  }
  testing$func @abs_of_signed_float_rank_0(%x: tile<f16>, %y: tile<f16>) -> (tile<f16>, tile<f16>) {
    %v1 = absf %x : tile<f16>
    %v2 = absf %v1 : tile<f16>
    %v3 = negf %x : tile<f16>
    %v4 = absf %v3 : tile<f16>
    return %v2, %v4 : tile<f16>, tile<f16>
  }
  testing$func @abs_of_signed_float_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> (tile<2x4xf16>, tile<2x4xf16>) {
    %v1 = absf %x : tile<2x4xf16>
    %v2 = absf %v1 : tile<2x4xf16>
    %v3 = negf %x : tile<2x4xf16>
    %v4 = absf %v3 : tile<2x4xf16>
    return %v2, %v4 : tile<2x4xf16>, tile<2x4xf16>
  }
  testing$func @abs_of_signed_float_one_short(%x: tile<f16>, %y: tile<f16>) -> tile<f16> {
    %v1 = absf %x : tile<f16>
    return %v1 : tile<f16>
  }
  testing$func @div_power_float_rank_0(%x: tile<f32>, %y: tile<f16>) -> (tile<f32>, tile<f32>, tile<f16>) {
    %v1 = constant <f32: 4.0> : tile<f32>
    %v2 = divf %x, %v1 : tile<f32>
    %v3 = constant <f32: -0.125> : tile<f32>
    %v4 = divf %x, %v3 rounding<zero> flush_to_zero : tile<f32>
    %v5 = constant <f16: 2.0> : tile<f16>
    %v6 = divf %y, %v5 : tile<f16>
    return %v2, %v4, %v6 : tile<f32>, tile<f32>, tile<f16>
  }
  testing$func @div_power_float_rank_2(%x: tile<2x4xf32>, %y: tile<2x4xf16>) -> (tile<2x4xf32>, tile<2x4xf32>, tile<2x4xf16>) {
    %v1 = constant <f32: 4.0> : tile<2x4xf32>
    %v2 = divf %x, %v1 : tile<2x4xf32>
    %v3 = constant <f32: -0.125> : tile<2x4xf32>
    %v4 = divf %x, %v3 rounding<zero> flush_to_zero : tile<2x4xf32>
    %v5 = constant <f16: 2.0> : tile<2x4xf16>
    %v6 = divf %y, %v5 : tile<2x4xf16>
    return %v2, %v4, %v6 : tile<2x4xf32>, tile<2x4xf32>, tile<2x4xf16>
  }
  testing$func @div_power_float_one_short(%x: tile<f32>, %y: tile<f16>) -> (tile<f32>, tile<f32>, tile<f16>, tile<f32>) {
    %v1 = constant <f32: 3.0> : tile<f32>
    %v2 = divf %x, %v1 : tile<f32>
    %v3 = constant <f32: 4.0> : tile<f32>
    %v4 = divf %x, %v3 rounding<approx> : tile<f32>
    %v5 = constant <f16: 32768.0> : tile<f16>
    %v6 = divf %y, %v5 : tile<f16>
    %v7 = constant <f32: 0.0> : tile<f32>
    %v8 = divf %x, %v7 : tile<f32>
    return %v2, %v4, %v6, %v8 : tile<f32>, tile<f32>, tile<f16>, tile<f32>
  }
  testing$func @compare_same_float_rank_0(%x: tile<f16>, %y: tile<f16>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = cmpf less_than ordered %x, %x : tile<f16> -> tile<i1>
    %v2 = cmpf not_equal ordered %x, %x : tile<f16> -> tile<i1>
    %v3 = cmpf equal unordered %x, %x : tile<f16> -> tile<i1>
    %v4 = cmpf greater_than_or_equal unordered %x, %x : tile<f16> -> tile<i1>
    return %v1, %v2, %v3, %v4 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_same_float_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = cmpf less_than ordered %x, %x : tile<2x4xf16> -> tile<2x4xi1>
    %v2 = cmpf not_equal ordered %x, %x : tile<2x4xf16> -> tile<2x4xi1>
    %v3 = cmpf equal unordered %x, %x : tile<2x4xf16> -> tile<2x4xi1>
    %v4 = cmpf greater_than_or_equal unordered %x, %x : tile<2x4xf16> -> tile<2x4xi1>
    return %v1, %v2, %v3, %v4 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_same_float_one_short(%x: tile<f16>, %y: tile<f16>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = cmpf less_than unordered %x, %x : tile<f16> -> tile<i1>
    %v2 = cmpf equal ordered %x, %x : tile<f16> -> tile<i1>
    %v3 = cmpf less_than ordered %x, %y : tile<f16> -> tile<i1>
    return %v1, %v2, %v3 : tile<i1>, tile<i1>, tile<i1>
  }
}
// output:
cuda_tile.module @m {
  testing$func @neg_neg_float_rank_0(%x: tile<f16>, %y: tile<f16>) -> tile<f16> {
    return %x : tile<f16>
  }
  testing$func @neg_neg_float_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> tile<2x4xf16> {
    return %x : tile<2x4xf16>
  }
  testing$func @neg_neg_float_one_short(%x: tile<f16>, %y: tile<f16>) -> tile<f16> {
    %v1 = absf %x : tile<f16>
    %v2 = negf %v1 : tile<f16>
    return %v2 : tile<f16>
  }
  testing$func @abs_of_signed_float_rank_0(%x: tile<f16>, %y: tile<f16>) -> (tile<f16>, tile<f16>) {
    %v2 = absf %x : tile<f16>
    %v4 = absf %x : tile<f16>
    return %v2, %v4 : tile<f16>, tile<f16>
  }
  testing$func @abs_of_signed_float_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> (tile<2x4xf16>, tile<2x4xf16>) {
    %v2 = absf %x : tile<2x4xf16>
    %v4 = absf %x : tile<2x4xf16>
    return %v2, %v4 : tile<2x4xf16>, tile<2x4xf16>
  }
  testing$func @abs_of_signed_float_one_short(%x: tile<f16>, %y: tile<f16>) -> tile<f16> {
    %v1 = absf %x : tile<f16>
    return %v1 : tile<f16>
  }
  testing$func @div_power_float_rank_0(%x: tile<f32>, %y: tile<f16>) -> (tile<f32>, tile<f32>, tile<f16>) {
    %0 = constant <f16: 5.000000e-01> : tile<f16>
    %1 = constant <f32: -8.000000e+00> : tile<f32>
    %2 = constant <f32: 2.500000e-01> : tile<f32>
    %v2 = mulf %x, %2 : tile<f32>
    %v4 = mulf %x, %1 rounding<zero> flush_to_zero : tile<f32>
    %v6 = mulf %y, %0 : tile<f16>
    return %v2, %v4, %v6 : tile<f32>, tile<f32>, tile<f16>
  }
  testing$func @div_power_float_rank_2(%x: tile<2x4xf32>, %y: tile<2x4xf16>) -> (tile<2x4xf32>, tile<2x4xf32>, tile<2x4xf16>) {
    %0 = constant <f16: 5.000000e-01> : tile<2x4xf16>
    %1 = constant <f32: -8.000000e+00> : tile<2x4xf32>
    %2 = constant <f32: 2.500000e-01> : tile<2x4xf32>
    %v2 = mulf %x, %2 : tile<2x4xf32>
    %v4 = mulf %x, %1 rounding<zero> flush_to_zero : tile<2x4xf32>
    %v6 = mulf %y, %0 : tile<2x4xf16>
    return %v2, %v4, %v6 : tile<2x4xf32>, tile<2x4xf32>, tile<2x4xf16>
  }
  testing$func @div_power_float_one_short(%x: tile<f32>, %y: tile<f16>) -> (tile<f32>, tile<f32>, tile<f16>, tile<f32>) {
    %v1 = constant <f32: 3.000000e+00> : tile<f32>
    %v2 = divf %x, %v1 : tile<f32>
    %v3 = constant <f32: 4.000000e+00> : tile<f32>
    %v4 = divf %x, %v3 rounding<approx> : tile<f32>
    %v5 = constant <f16: 3.276800e+04> : tile<f16>
    %v6 = divf %y, %v5 : tile<f16>
    %v7 = constant <f32: 0.000000e+00> : tile<f32>
    %v8 = divf %x, %v7 : tile<f32>
    return %v2, %v4, %v6, %v8 : tile<f32>, tile<f32>, tile<f16>, tile<f32>
  }
  testing$func @compare_same_float_rank_0(%x: tile<f16>, %y: tile<f16>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v3 = constant <i1: true> : tile<i1>
    %v1 = constant <i1: false> : tile<i1>
    return %v1, %v1, %v3, %v3 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_same_float_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v3 = constant <i1: true> : tile<2x4xi1>
    %v1 = constant <i1: false> : tile<2x4xi1>
    return %v1, %v1, %v3, %v3 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_same_float_one_short(%x: tile<f16>, %y: tile<f16>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = cmpf less_than unordered %x, %x : tile<f16> -> tile<i1>
    %v2 = cmpf equal ordered %x, %x : tile<f16> -> tile<i1>
    %v3 = cmpf less_than ordered %x, %y : tile<f16> -> tile<i1>
    return %v1, %v2, %v3 : tile<i1>, tile<i1>, tile<i1>
  }
}
// rewrites:
//    8 neg_neg_float
//   13 neg_neg_float
//   23 abs_of_signed_float
//   25 abs_of_signed_float
//   30 abs_of_signed_float
//   32 abs_of_signed_float
//   41 div_power_float
//   43 div_power_float
//   45 div_power_float
//   50 div_power_float
//   52 div_power_float
//   54 div_power_float
//   69 compare_same_float
//   70 compare_same_float
//   71 compare_same_float
//   72 compare_same_float
//   76 compare_same_float
//   77 compare_same_float
//   78 compare_same_float
//   79 compare_same_float
