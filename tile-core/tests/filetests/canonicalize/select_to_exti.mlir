// test: opt --passes=canonicalize
// select c, 1, 0 = exti c unsigned, and with the arms the other way round of the negation, for
// integers wider than i1.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %m: tile<2x4xi1>) -> (tile<i32>, tile<i64>, tile<2x4xi8>, tile<2x4xi16>) {
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one64 = constant <i64: 1> : tile<i64>
    %zero64 = constant <i64: 0> : tile<i64>
    %ones = constant <i8: 1> : tile<2x4xi8>
    %zeros = constant <i8: 0> : tile<2x4xi8>
    %ones16 = constant <i16: 1> : tile<2x4xi16>
    %zeros16 = constant <i16: 0> : tile<2x4xi16>
    %0 = select %c, %one, %zero : tile<i1>, tile<i32>
    %1 = select %c, %zero64, %one64 : tile<i1>, tile<i64>
    %2 = select %m, %ones, %zeros : tile<2x4xi1>, tile<2x4xi8>
    %3 = select %m, %zeros16, %ones16 : tile<2x4xi1>, tile<2x4xi16>
    return %0, %1, %2, %3 : tile<i32>, tile<i64>, tile<2x4xi8>, tile<2x4xi16>
  }
  testing$func @one_short(%c: tile<i1>) -> (tile<i32>, tile<f32>) {
    %two = constant <i32: 2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <f32: 1.0> : tile<f32>
    %null = constant <f32: 0.0> : tile<f32>
    %0 = select %c, %two, %zero : tile<i1>, tile<i32>
    %1 = select %c, %one, %null : tile<i1>, tile<f32>
    return %0, %1 : tile<i32>, tile<f32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %m: tile<2x4xi1>) -> (tile<i32>, tile<i64>, tile<2x4xi8>, tile<2x4xi16>) {
    %0 = constant <i1: true> : tile<2x4xi1>
    %1 = constant <i1: true> : tile<i1>
    %2 = exti %c unsigned : tile<i1> -> tile<i32>
    %3 = xori %c, %1 : tile<i1>
    %4 = exti %3 unsigned : tile<i1> -> tile<i64>
    %5 = exti %m unsigned : tile<2x4xi1> -> tile<2x4xi8>
    %6 = xori %m, %0 : tile<2x4xi1>
    %7 = exti %6 unsigned : tile<2x4xi1> -> tile<2x4xi16>
    return %2, %4, %5, %7 : tile<i32>, tile<i64>, tile<2x4xi8>, tile<2x4xi16>
  }
  testing$func @one_short(%c: tile<i1>) -> (tile<i32>, tile<f32>) {
    %two = constant <i32: 2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <f32: 1.000000e+00> : tile<f32>
    %null = constant <f32: 0.000000e+00> : tile<f32>
    %0 = select %c, %two, %zero : tile<i1>, tile<i32>
    %1 = select %c, %one, %null : tile<i1>, tile<f32>
    return %0, %1 : tile<i32>, tile<f32>
  }
}
// rewrites:
//   15 select_to_exti
//    8 dead_code
//    7 dead_code
//   16 select_to_exti
//    9 dead_code
//   10 dead_code
//   17 select_to_exti
//   12 dead_code
//   11 dead_code
//   18 select_to_exti
//   13 dead_code
//   14 dead_code
