// test: opt --passes=simplify
// Extensions and truncations of each other.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @ext_ext_rank_0(%x: tile<i32>, %y: tile<i8>) -> (tile<i64>, tile<i64>, tile<i64>) {
    %v1 = exti %y signed : tile<i8> -> tile<i16>
    %v2 = exti %v1 signed : tile<i16> -> tile<i64>
    %v3 = exti %y unsigned : tile<i8> -> tile<i16>
    %v4 = exti %v3 signed : tile<i16> -> tile<i64>
    %v5 = exti %y unsigned : tile<i8> -> tile<i16>
    %v6 = exti %v5 unsigned : tile<i16> -> tile<i64>
    return %v2, %v4, %v6 : tile<i64>, tile<i64>, tile<i64>
  }
  testing$func @ext_ext_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> (tile<2x4xi64>, tile<2x4xi64>, tile<2x4xi64>) {
    %v1 = exti %y signed : tile<2x4xi8> -> tile<2x4xi16>
    %v2 = exti %v1 signed : tile<2x4xi16> -> tile<2x4xi64>
    %v3 = exti %y unsigned : tile<2x4xi8> -> tile<2x4xi16>
    %v4 = exti %v3 signed : tile<2x4xi16> -> tile<2x4xi64>
    %v5 = exti %y unsigned : tile<2x4xi8> -> tile<2x4xi16>
    %v6 = exti %v5 unsigned : tile<2x4xi16> -> tile<2x4xi64>
    return %v2, %v4, %v6 : tile<2x4xi64>, tile<2x4xi64>, tile<2x4xi64>
  }
  testing$func @ext_ext_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<i64> {
    %v1 = exti %y signed : tile<i8> -> tile<i16>
    %v2 = exti %v1 unsigned : tile<i16> -> tile<i64>
    return %v2 : tile<i64>
  }
  testing$func @ext_of_trunc_rank_0(%x: tile<i32>, %y: tile<i8>) -> (tile<i32>, tile<i32>, tile<i32>) {
    %v1 = trunci %x : tile<i32> -> tile<i8>
    %v2 = exti %v1 unsigned : tile<i8> -> tile<i32>
    %v3 = trunci %x overflow<no_unsigned_wrap> : tile<i32> -> tile<i8>
    %v4 = exti %v3 unsigned : tile<i8> -> tile<i32>
    %v5 = trunci %x overflow<no_signed_wrap> : tile<i32> -> tile<i8>
    %v6 = exti %v5 signed : tile<i8> -> tile<i32>
    return %v2, %v4, %v6 : tile<i32>, tile<i32>, tile<i32>
  }
  testing$func @ext_of_trunc_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> (tile<2x4xi32>, tile<2x4xi32>, tile<2x4xi32>) {
    %v1 = trunci %x : tile<2x4xi32> -> tile<2x4xi8>
    %v2 = exti %v1 unsigned : tile<2x4xi8> -> tile<2x4xi32>
    %v3 = trunci %x overflow<no_unsigned_wrap> : tile<2x4xi32> -> tile<2x4xi8>
    %v4 = exti %v3 unsigned : tile<2x4xi8> -> tile<2x4xi32>
    %v5 = trunci %x overflow<no_signed_wrap> : tile<2x4xi32> -> tile<2x4xi8>
    %v6 = exti %v5 signed : tile<2x4xi8> -> tile<2x4xi32>
    return %v2, %v4, %v6 : tile<2x4xi32>, tile<2x4xi32>, tile<2x4xi32>
  }
  testing$func @ext_of_trunc_2_rank_0(%x: tile<i32>, %y: tile<i8>) -> (tile<i32>, tile<i32>) {
    %v1 = constant <i32: 255> : tile<i32>
    %v2 = andi %x, %v1 : tile<i32>
    %v3 = trunci %v2 : tile<i32> -> tile<i8>
    %v4 = exti %v3 unsigned : tile<i8> -> tile<i32>
    %v5 = constant <i32: 25> : tile<i32>
    %v6 = shri %x, %v5 signed : tile<i32>
    %v7 = trunci %v6 : tile<i32> -> tile<i8>
    %v8 = exti %v7 signed : tile<i8> -> tile<i32>
    return %v4, %v8 : tile<i32>, tile<i32>
  }
  testing$func @ext_of_trunc_2_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> (tile<2x4xi32>, tile<2x4xi32>) {
    %v1 = constant <i32: 255> : tile<2x4xi32>
    %v2 = andi %x, %v1 : tile<2x4xi32>
    %v3 = trunci %v2 : tile<2x4xi32> -> tile<2x4xi8>
    %v4 = exti %v3 unsigned : tile<2x4xi8> -> tile<2x4xi32>
    %v5 = constant <i32: 25> : tile<2x4xi32>
    %v6 = shri %x, %v5 signed : tile<2x4xi32>
    %v7 = trunci %v6 : tile<2x4xi32> -> tile<2x4xi8>
    %v8 = exti %v7 signed : tile<2x4xi8> -> tile<2x4xi32>
    return %v4, %v8 : tile<2x4xi32>, tile<2x4xi32>
  }
  testing$func @ext_of_trunc_one_short(%x: tile<i32>, %y: tile<i8>) -> (tile<i32>, tile<i16>) {
    %v1 = trunci %x : tile<i32> -> tile<i8>
    %v2 = exti %v1 signed : tile<i8> -> tile<i32>
    %v3 = trunci %x : tile<i32> -> tile<i8>
    %v4 = exti %v3 unsigned : tile<i8> -> tile<i16>
    return %v2, %v4 : tile<i32>, tile<i16>
  }
  testing$func @trunc_of_ext_rank_0(%x: tile<i32>, %y: tile<i8>) -> (tile<i8>, tile<i8>, tile<i16>) {
    %v1 = exti %y signed : tile<i8> -> tile<i32>
    %v2 = trunci %v1 : tile<i32> -> tile<i8>
    %v3 = exti %x signed : tile<i32> -> tile<i64>
    %v4 = trunci %v3 : tile<i64> -> tile<i8>
    %v5 = exti %y unsigned : tile<i8> -> tile<i32>
    %v6 = trunci %v5 : tile<i32> -> tile<i16>
    return %v2, %v4, %v6 : tile<i8>, tile<i8>, tile<i16>
  }
  testing$func @trunc_of_ext_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi16>) {
    %v1 = exti %y signed : tile<2x4xi8> -> tile<2x4xi32>
    %v2 = trunci %v1 : tile<2x4xi32> -> tile<2x4xi8>
    %v3 = exti %x signed : tile<2x4xi32> -> tile<2x4xi64>
    %v4 = trunci %v3 : tile<2x4xi64> -> tile<2x4xi8>
    %v5 = exti %y unsigned : tile<2x4xi8> -> tile<2x4xi32>
    %v6 = trunci %v5 : tile<2x4xi32> -> tile<2x4xi16>
    return %v2, %v4, %v6 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi16>
  }
  testing$func @trunc_of_ext_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<i8> {
    %v1 = trunci %x : tile<i32> -> tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @trunc_trunc_rank_0(%x: tile<i32>, %y: tile<i8>) -> tile<i8> {
    %v1 = trunci %x : tile<i32> -> tile<i16>
    %v2 = trunci %v1 : tile<i16> -> tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @trunc_trunc_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = trunci %x : tile<2x4xi32> -> tile<2x4xi16>
    %v2 = trunci %v1 : tile<2x4xi16> -> tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @trunc_trunc_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<i16> {
    %v1 = trunci %x : tile<i32> -> tile<i16>
    return %v1 : tile<i16>
  }
  testing$func @trunc_masked_rank_0(%x: tile<i32>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i32: 1023> : tile<i32>
    %v2 = andi %x, %v1 : tile<i32>
    %v3 = trunci %v2 : tile<i32> -> tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @trunc_masked_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i32: 1023> : tile<2x4xi32>
    %v2 = andi %x, %v1 : tile<2x4xi32>
    %v3 = trunci %v2 : tile<2x4xi32> -> tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @trunc_masked_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i32: 127> : tile<i32>
    %v2 = andi %x, %v1 : tile<i32>
    %v3 = trunci %v2 : tile<i32> -> tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @bitcast_same_rank_0(%x: tile<i32>, %y: tile<i8>) -> tile<i32> {
    %v1 = bitcast %x : tile<i32> -> tile<i32>
    return %v1 : tile<i32>
  }
  testing$func @bitcast_same_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> tile<2x4xi32> {
    %v1 = bitcast %x : tile<2x4xi32> -> tile<2x4xi32>
    return %v1 : tile<2x4xi32>
  }
  testing$func @bitcast_same_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<f32> {
    %v1 = bitcast %x : tile<i32> -> tile<f32>
    return %v1 : tile<f32>
  }
  testing$func @bitcast_bitcast_rank_0(%x: tile<i16>) -> tile<bf16> {
    %v1 = bitcast %x : tile<i16> -> tile<f16>
    %v2 = bitcast %v1 : tile<f16> -> tile<bf16>
    return %v2 : tile<bf16>
  }
  testing$func @bitcast_bitcast_rank_2(%x: tile<2x4xi16>) -> tile<2x4xbf16> {
    %v1 = bitcast %x : tile<2x4xi16> -> tile<2x4xf16>
    %v2 = bitcast %v1 : tile<2x4xf16> -> tile<2x4xbf16>
    return %v2 : tile<2x4xbf16>
  }
  testing$func @bitcast_bitcast_one_short(%x: tile<i16>) -> tile<bf16> {
    %v1 = bitcast %x : tile<i16> -> tile<bf16>
    return %v1 : tile<bf16>
  }
}
// output:
cuda_tile.module @m {
  testing$func @ext_ext_rank_0(%x: tile<i32>, %y: tile<i8>) -> (tile<i64>, tile<i64>, tile<i64>) {
    %v2 = exti %y signed : tile<i8> -> tile<i64>
    %v4 = exti %y unsigned : tile<i8> -> tile<i64>
    %v6 = exti %y unsigned : tile<i8> -> tile<i64>
    return %v2, %v4, %v6 : tile<i64>, tile<i64>, tile<i64>
  }
  testing$func @ext_ext_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> (tile<2x4xi64>, tile<2x4xi64>, tile<2x4xi64>) {
    %v2 = exti %y signed : tile<2x4xi8> -> tile<2x4xi64>
    %v4 = exti %y unsigned : tile<2x4xi8> -> tile<2x4xi64>
    %v6 = exti %y unsigned : tile<2x4xi8> -> tile<2x4xi64>
    return %v2, %v4, %v6 : tile<2x4xi64>, tile<2x4xi64>, tile<2x4xi64>
  }
  testing$func @ext_ext_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<i64> {
    %v1 = exti %y signed : tile<i8> -> tile<i16>
    %v2 = exti %v1 unsigned : tile<i16> -> tile<i64>
    return %v2 : tile<i64>
  }
  testing$func @ext_of_trunc_rank_0(%x: tile<i32>, %y: tile<i8>) -> (tile<i32>, tile<i32>, tile<i32>) {
    %0 = constant <i32: 255> : tile<i32>
    %v2 = andi %x, %0 : tile<i32>
    return %v2, %x, %x : tile<i32>, tile<i32>, tile<i32>
  }
  testing$func @ext_of_trunc_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> (tile<2x4xi32>, tile<2x4xi32>, tile<2x4xi32>) {
    %0 = constant <i32: 255> : tile<2x4xi32>
    %v2 = andi %x, %0 : tile<2x4xi32>
    return %v2, %x, %x : tile<2x4xi32>, tile<2x4xi32>, tile<2x4xi32>
  }
  testing$func @ext_of_trunc_2_rank_0(%x: tile<i32>, %y: tile<i8>) -> (tile<i32>, tile<i32>) {
    %0 = constant <i32: 255> : tile<i32>
    %v4 = andi %x, %0 : tile<i32>
    %v5 = constant <i32: 25> : tile<i32>
    %v6 = shri %x, %v5 signed : tile<i32>
    return %v4, %v6 : tile<i32>, tile<i32>
  }
  testing$func @ext_of_trunc_2_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> (tile<2x4xi32>, tile<2x4xi32>) {
    %0 = constant <i32: 255> : tile<2x4xi32>
    %v4 = andi %x, %0 : tile<2x4xi32>
    %v5 = constant <i32: 25> : tile<2x4xi32>
    %v6 = shri %x, %v5 signed : tile<2x4xi32>
    return %v4, %v6 : tile<2x4xi32>, tile<2x4xi32>
  }
  testing$func @ext_of_trunc_one_short(%x: tile<i32>, %y: tile<i8>) -> (tile<i32>, tile<i16>) {
    %v1 = trunci %x : tile<i32> -> tile<i8>
    %v2 = exti %v1 signed : tile<i8> -> tile<i32>
    %v3 = trunci %x : tile<i32> -> tile<i8>
    %v4 = exti %v3 unsigned : tile<i8> -> tile<i16>
    return %v2, %v4 : tile<i32>, tile<i16>
  }
  testing$func @trunc_of_ext_rank_0(%x: tile<i32>, %y: tile<i8>) -> (tile<i8>, tile<i8>, tile<i16>) {
    %v4 = trunci %x : tile<i32> -> tile<i8>
    %v6 = exti %y unsigned : tile<i8> -> tile<i16>
    return %y, %v4, %v6 : tile<i8>, tile<i8>, tile<i16>
  }
  testing$func @trunc_of_ext_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi16>) {
    %v4 = trunci %x : tile<2x4xi32> -> tile<2x4xi8>
    %v6 = exti %y unsigned : tile<2x4xi8> -> tile<2x4xi16>
    return %y, %v4, %v6 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi16>
  }
  testing$func @trunc_of_ext_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<i8> {
    %v1 = trunci %x : tile<i32> -> tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @trunc_trunc_rank_0(%x: tile<i32>, %y: tile<i8>) -> tile<i8> {
    %v2 = trunci %x : tile<i32> -> tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @trunc_trunc_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = trunci %x : tile<2x4xi32> -> tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @trunc_trunc_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<i16> {
    %v1 = trunci %x : tile<i32> -> tile<i16>
    return %v1 : tile<i16>
  }
  testing$func @trunc_masked_rank_0(%x: tile<i32>, %y: tile<i8>) -> tile<i8> {
    %v3 = trunci %x : tile<i32> -> tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @trunc_masked_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v3 = trunci %x : tile<2x4xi32> -> tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @trunc_masked_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i32: 127> : tile<i32>
    %v2 = andi %x, %v1 : tile<i32>
    %v3 = trunci %v2 : tile<i32> -> tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @bitcast_same_rank_0(%x: tile<i32>, %y: tile<i8>) -> tile<i32> {
    return %x : tile<i32>
  }
  testing$func @bitcast_same_rank_2(%x: tile<2x4xi32>, %y: tile<2x4xi8>) -> tile<2x4xi32> {
    return %x : tile<2x4xi32>
  }
  testing$func @bitcast_same_one_short(%x: tile<i32>, %y: tile<i8>) -> tile<f32> {
    %v1 = bitcast %x : tile<i32> -> tile<f32>
    return %v1 : tile<f32>
  }
  testing$func @bitcast_bitcast_rank_0(%x: tile<i16>) -> tile<bf16> {
    %v2 = bitcast %x : tile<i16> -> tile<bf16>
    return %v2 : tile<bf16>
  }
  testing$func @bitcast_bitcast_rank_2(%x: tile<2x4xi16>) -> tile<2x4xbf16> {
    %v2 = bitcast %x : tile<2x4xi16> -> tile<2x4xbf16>
    return %v2 : tile<2x4xbf16>
  }
  testing$func @bitcast_bitcast_one_short(%x: tile<i16>) -> tile<bf16> {
    %v1 = bitcast %x : tile<i16> -> tile<bf16>
    return %v1 : tile<bf16>
  }
}
// rewrites:
//    8 ext_ext
//   10 ext_ext
//   12 ext_ext
//   17 ext_ext
//   19 ext_ext
//   21 ext_ext
//   31 ext_of_trunc
//   33 ext_of_trunc
//   35 ext_of_trunc
//   40 ext_of_trunc
//   42 ext_of_trunc
//   44 ext_of_trunc
//   50 trunc_masked
//   51 ext_of_trunc
//   55 ext_of_trunc
//   61 trunc_masked
//   62 ext_of_trunc
//   66 ext_of_trunc
//   78 trunc_of_ext
//   80 trunc_of_ext
//   82 trunc_of_ext
//   87 trunc_of_ext
//   89 trunc_of_ext
//   91 trunc_of_ext
//  100 trunc_trunc
//  105 trunc_trunc
//  115 trunc_masked
//  121 trunc_masked
//  131 bitcast_same
//  135 bitcast_same
//  144 bitcast_bitcast
//  149 bitcast_bitcast
