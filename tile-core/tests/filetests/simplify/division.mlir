// test: opt --passes=simplify
// Quotients and remainders, rounded in every way.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @div_one_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = divi %x, %v1 signed : tile<i8>
    %v3 = divi %x, %v1 unsigned : tile<i8>
    return %v2, %v3 : tile<i8>, tile<i8>
  }
  testing$func @div_one_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 1> : tile<2x4xi8>
    %v2 = divi %x, %v1 signed : tile<2x4xi8>
    %v3 = divi %x, %v1 unsigned : tile<2x4xi8>
    return %v2, %v3 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_one_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = divi %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_minus_one_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = divi %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_minus_one_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    %v2 = divi %x, %v1 signed : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @div_minus_one_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = divi %x, %v1 unsigned : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = divi %x, %x signed : tile<i8>
    %v2 = divi %x, %x unsigned : tile<i8>
    return %v1, %v2 : tile<i8>, tile<i8>
  }
  testing$func @div_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = divi %x, %x signed : tile<2x4xi8>
    %v2 = divi %x, %x unsigned : tile<2x4xi8>
    return %v1, %v2 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = divi %x, %y signed : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @div_of_product_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = muli %x, %y overflow<no_signed_wrap> : tile<i8>
    %v2 = divi %v1, %y signed : tile<i8>
    %v3 = muli %y, %x overflow<no_unsigned_wrap> : tile<i8>
    %v4 = divi %v3, %y unsigned : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
  testing$func @div_of_product_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = muli %x, %y overflow<no_signed_wrap> : tile<2x4xi8>
    %v2 = divi %v1, %y signed : tile<2x4xi8>
    %v3 = muli %y, %x overflow<no_unsigned_wrap> : tile<2x4xi8>
    %v4 = divi %v3, %y unsigned : tile<2x4xi8>
    return %v2, %v4 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_of_product_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = muli %x, %y overflow<no_signed_wrap> : tile<i8>
    %v2 = divi %v1, %y unsigned : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_power_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = divi %x, %v1 unsigned : tile<i8>
    %v3 = assume bounded<0, ?>, %x : tile<i8>
    %v4 = divi %v3, %v1 signed : tile<i8>
    %v5 = divi %x, %v1 signed rounding<negative_inf> : tile<i8>
    return %v2, %v4, %v5 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_power_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 16> : tile<2x4xi8>
    %v2 = divi %x, %v1 unsigned : tile<2x4xi8>
    %v3 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v4 = divi %v3, %v1 signed : tile<2x4xi8>
    %v5 = divi %x, %v1 signed rounding<negative_inf> : tile<2x4xi8>
    return %v2, %v4, %v5 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_power_2_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v1 = assume div_by<16>, %x : tile<i8>
    %v2 = constant <i8: 16> : tile<i8>
    %v3 = divi %v1, %v2 signed : tile<i8>
    %v4 = assume div_by<16>, %x : tile<i8>
    %v5 = divi %v4, %v2 signed rounding<positive_inf> : tile<i8>
    %v6 = assume div_by<16>, %x : tile<i8>
    %v7 = divi %v6, %v2 unsigned rounding<positive_inf> : tile<i8>
    return %v3, %v5, %v7 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_power_2_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    %v2 = constant <i8: 16> : tile<2x4xi8>
    %v3 = divi %v1, %v2 signed : tile<2x4xi8>
    %v4 = assume div_by<16>, %x : tile<2x4xi8>
    %v5 = divi %v4, %v2 signed rounding<positive_inf> : tile<2x4xi8>
    %v6 = assume div_by<16>, %x : tile<2x4xi8>
    %v7 = divi %v6, %v2 unsigned rounding<positive_inf> : tile<2x4xi8>
    return %v3, %v5, %v7 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_power_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<16>, %x : tile<i8>
    %v2 = constant <i8: 16> : tile<i8>
    %v3 = divi %v1, %v2 signed : tile<i8>
    %v4 = muli %v3, %v2 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @div_power_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    %v2 = constant <i8: 16> : tile<2x4xi8>
    %v3 = divi %v1, %v2 signed : tile<2x4xi8>
    %v4 = muli %v3, %v2 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @div_power_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = divi %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_up_power_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 127> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 16> : tile<i8>
    %v4 = divi %v2, %v3 unsigned rounding<positive_inf> : tile<i8>
    %v5 = assume bounded<?, 112>, %x : tile<i8>
    %v6 = divi %v5, %v3 signed rounding<positive_inf> : tile<i8>
    return %v4, %v6 : tile<i8>, tile<i8>
  }
  testing$func @div_up_power_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 127> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 16> : tile<2x4xi8>
    %v4 = divi %v2, %v3 unsigned rounding<positive_inf> : tile<2x4xi8>
    %v5 = assume bounded<?, 112>, %x : tile<2x4xi8>
    %v6 = divi %v5, %v3 signed rounding<positive_inf> : tile<2x4xi8>
    return %v4, %v6 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_up_power_one_short(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = divi %x, %v1 unsigned rounding<positive_inf> : tile<i8>
    %v3 = divi %x, %v1 signed rounding<positive_inf> : tile<i8>
    return %v2, %v3 : tile<i8>, tile<i8>
  }
  testing$func @div_div_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = divi %x, %v1 signed : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = divi %v2, %v3 signed : tile<i8>
    %v5 = divi %x, %v1 unsigned : tile<i8>
    %v6 = divi %v5, %v3 unsigned : tile<i8>
    %v7 = divi %x, %v1 signed rounding<positive_inf> : tile<i8>
    %v8 = divi %v7, %v3 signed rounding<positive_inf> : tile<i8>
    return %v4, %v6, %v8 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_div_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = divi %x, %v1 signed : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = divi %v2, %v3 signed : tile<2x4xi8>
    %v5 = divi %x, %v1 unsigned : tile<2x4xi8>
    %v6 = divi %v5, %v3 unsigned : tile<2x4xi8>
    %v7 = divi %x, %v1 signed rounding<positive_inf> : tile<2x4xi8>
    %v8 = divi %v7, %v3 signed rounding<positive_inf> : tile<2x4xi8>
    return %v4, %v6, %v8 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_div_one_short(%x: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = divi %x, %v1 signed : tile<i8>
    %v3 = divi %v2, %v1 signed : tile<i8>
    %v4 = constant <i8: 3> : tile<i8>
    %v5 = divi %x, %v4 signed rounding<positive_inf> : tile<i8>
    %v6 = constant <i8: 5> : tile<i8>
    %v7 = divi %v5, %v6 signed : tile<i8>
    %v8 = constant <i8: -3> : tile<i8>
    %v9 = divi %x, %v8 signed : tile<i8>
    %v10 = divi %v9, %v6 signed : tile<i8>
    return %v3, %v7, %v10 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_nonnegative_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v1 = assume bounded<0, ?>, %x : tile<i8>
    %v2 = assume bounded<0, ?>, %y : tile<i8>
    %v3 = divi %v1, %v2 signed : tile<i8>
    %v4 = assume bounded<0, ?>, %x : tile<i8>
    %v5 = constant <i8: 3> : tile<i8>
    %v6 = divi %v4, %v5 signed : tile<i8>
    %v7 = assume bounded<0, ?>, %x : tile<i8>
    %v8 = divi %v7, %v5 signed rounding<positive_inf> : tile<i8>
    return %v3, %v6, %v8 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_nonnegative_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v2 = assume bounded<0, ?>, %y : tile<2x4xi8>
    %v3 = divi %v1, %v2 signed : tile<2x4xi8>
    %v4 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v5 = constant <i8: 3> : tile<2x4xi8>
    %v6 = divi %v4, %v5 signed : tile<2x4xi8>
    %v7 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v8 = divi %v7, %v5 signed rounding<positive_inf> : tile<2x4xi8>
    return %v3, %v6, %v8 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_nonnegative_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = assume bounded<0, ?>, %x : tile<i8>
    %v2 = divi %v1, %y signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @rem_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = remi %x, %x signed : tile<i8>
    %v2 = remi %x, %x unsigned : tile<i8>
    return %v1, %v2 : tile<i8>, tile<i8>
  }
  testing$func @rem_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = remi %x, %x signed : tile<2x4xi8>
    %v2 = remi %x, %x unsigned : tile<2x4xi8>
    return %v1, %v2 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @rem_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = remi %x, %y signed : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @rem_small_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 9> : tile<i8>
    %v4 = remi %v2, %v3 signed : tile<i8>
    %v5 = andi %x, %v1 : tile<i8>
    %v6 = remi %v5, %v3 unsigned : tile<i8>
    return %v4, %v6 : tile<i8>, tile<i8>
  }
  testing$func @rem_small_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 9> : tile<2x4xi8>
    %v4 = remi %v2, %v3 signed : tile<2x4xi8>
    %v5 = andi %x, %v1 : tile<2x4xi8>
    %v6 = remi %v5, %v3 unsigned : tile<2x4xi8>
    return %v4, %v6 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @rem_small_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 8> : tile<i8>
    %v4 = ori %y, %v3 : tile<i8>
    %v5 = remi %v2, %v4 unsigned : tile<i8>
    return %v5 : tile<i8>
  }
  testing$func @rem_small_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 8> : tile<2x4xi8>
    %v4 = ori %y, %v3 : tile<2x4xi8>
    %v5 = remi %v2, %v4 unsigned : tile<2x4xi8>
    return %v5 : tile<2x4xi8>
  }
  testing$func @rem_small_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = remi %v2, %y signed : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @rem_negative_divisor_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -5> : tile<i8>
    %v2 = remi %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @rem_negative_divisor_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -5> : tile<2x4xi8>
    %v2 = remi %x, %v1 signed : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @rem_negative_divisor_one_short(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: -5> : tile<i8>
    %v2 = remi %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: -128> : tile<i8>
    %v4 = remi %x, %v3 signed : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
  testing$func @rem_power_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = remi %x, %v1 unsigned : tile<i8>
    %v3 = assume bounded<0, ?>, %x : tile<i8>
    %v4 = remi %v3, %v1 signed : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
  testing$func @rem_power_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 16> : tile<2x4xi8>
    %v2 = remi %x, %v1 unsigned : tile<2x4xi8>
    %v3 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v4 = remi %v3, %v1 signed : tile<2x4xi8>
    return %v2, %v4 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @rem_power_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = remi %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @rem_nonnegative_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = assume bounded<0, ?>, %x : tile<i8>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = remi %v1, %v2 signed : tile<i8>
    %v4 = assume bounded<0, ?>, %x : tile<i8>
    %v5 = assume bounded<0, ?>, %y : tile<i8>
    %v6 = remi %v4, %v5 signed : tile<i8>
    return %v3, %v6 : tile<i8>, tile<i8>
  }
  testing$func @rem_nonnegative_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v2 = constant <i8: 5> : tile<2x4xi8>
    %v3 = remi %v1, %v2 signed : tile<2x4xi8>
    %v4 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v5 = assume bounded<0, ?>, %y : tile<2x4xi8>
    %v6 = remi %v4, %v5 signed : tile<2x4xi8>
    return %v3, %v6 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @rem_nonnegative_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = remi %x, %v1 signed : tile<i8>
    %v3 = assume bounded<0, ?>, %x : tile<i8>
    %v4 = remi %v3, %y signed : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
}
// output:
cuda_tile.module @m {
  testing$func @div_one_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    return %x, %x : tile<i8>, tile<i8>
  }
  testing$func @div_one_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    return %x, %x : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_one_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = divi %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_minus_one_rank_0(%x: tile<i8>) -> tile<i8> {
    %v2 = negi %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_minus_one_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = negi %x : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @div_minus_one_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = divi %x, %v1 unsigned : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 1> : tile<i8>
    return %v1, %v1 : tile<i8>, tile<i8>
  }
  testing$func @div_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 1> : tile<2x4xi8>
    return %v1, %v1 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = divi %x, %y signed : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @div_of_product_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    return %x, %x : tile<i8>, tile<i8>
  }
  testing$func @div_of_product_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    return %x, %x : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_of_product_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = muli %x, %y overflow<no_signed_wrap> : tile<i8>
    %v2 = divi %v1, %y unsigned : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_power_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %0 = constant <i8: 4> : tile<i8>
    %v2 = shri %x, %0 unsigned : tile<i8>
    %v3 = assume bounded<0, ?>, %x : tile<i8>
    %v4 = shri %v3, %0 unsigned : tile<i8>
    %v5 = shri %x, %0 signed : tile<i8>
    return %v2, %v4, %v5 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_power_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %0 = constant <i8: 4> : tile<2x4xi8>
    %v2 = shri %x, %0 unsigned : tile<2x4xi8>
    %v3 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v4 = shri %v3, %0 unsigned : tile<2x4xi8>
    %v5 = shri %x, %0 signed : tile<2x4xi8>
    return %v2, %v4, %v5 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_power_2_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %0 = constant <i8: 4> : tile<i8>
    %v1 = assume div_by<16>, %x : tile<i8>
    %v3 = shri %v1, %0 signed : tile<i8>
    %v4 = assume div_by<16>, %x : tile<i8>
    %v5 = shri %v4, %0 signed : tile<i8>
    %v6 = assume div_by<16>, %x : tile<i8>
    %v7 = shri %v6, %0 unsigned : tile<i8>
    return %v3, %v5, %v7 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_power_2_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %0 = constant <i8: 4> : tile<2x4xi8>
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    %v3 = shri %v1, %0 signed : tile<2x4xi8>
    %v4 = assume div_by<16>, %x : tile<2x4xi8>
    %v5 = shri %v4, %0 signed : tile<2x4xi8>
    %v6 = assume div_by<16>, %x : tile<2x4xi8>
    %v7 = shri %v6, %0 unsigned : tile<2x4xi8>
    return %v3, %v5, %v7 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_power_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<16>, %x : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @div_power_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @div_power_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = divi %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @div_up_power_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %0 = constant <i8: 4> : tile<i8>
    %1 = constant <i8: 15> : tile<i8>
    %v1 = constant <i8: 127> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %2 = addi %v2, %1 overflow<no_unsigned_wrap> : tile<i8>
    %v4 = shri %2, %0 unsigned : tile<i8>
    %v5 = assume bounded<?, 112>, %x : tile<i8>
    %3 = addi %v5, %1 overflow<no_signed_wrap> : tile<i8>
    %v6 = shri %3, %0 signed : tile<i8>
    return %v4, %v6 : tile<i8>, tile<i8>
  }
  testing$func @div_up_power_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %0 = constant <i8: 4> : tile<2x4xi8>
    %1 = constant <i8: 15> : tile<2x4xi8>
    %v1 = constant <i8: 127> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %2 = addi %v2, %1 overflow<no_unsigned_wrap> : tile<2x4xi8>
    %v4 = shri %2, %0 unsigned : tile<2x4xi8>
    %v5 = assume bounded<?, 112>, %x : tile<2x4xi8>
    %3 = addi %v5, %1 overflow<no_signed_wrap> : tile<2x4xi8>
    %v6 = shri %3, %0 signed : tile<2x4xi8>
    return %v4, %v6 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_up_power_one_short(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = divi %x, %v1 unsigned rounding<positive_inf> : tile<i8>
    %v3 = divi %x, %v1 signed rounding<positive_inf> : tile<i8>
    return %v2, %v3 : tile<i8>, tile<i8>
  }
  testing$func @div_div_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %0 = constant <i8: 15> : tile<i8>
    %v4 = divi %x, %0 signed : tile<i8>
    %v6 = divi %x, %0 unsigned : tile<i8>
    %v8 = divi %x, %0 signed rounding<positive_inf> : tile<i8>
    return %v4, %v6, %v8 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_div_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %0 = constant <i8: 15> : tile<2x4xi8>
    %v4 = divi %x, %0 signed : tile<2x4xi8>
    %v6 = divi %x, %0 unsigned : tile<2x4xi8>
    %v8 = divi %x, %0 signed rounding<positive_inf> : tile<2x4xi8>
    return %v4, %v6, %v8 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_div_one_short(%x: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v3 = constant <i8: 0> : tile<i8>
    %v4 = constant <i8: 3> : tile<i8>
    %v5 = divi %x, %v4 signed rounding<positive_inf> : tile<i8>
    %v6 = constant <i8: 5> : tile<i8>
    %v7 = divi %v5, %v6 signed : tile<i8>
    %v8 = constant <i8: -3> : tile<i8>
    %v9 = divi %x, %v8 signed : tile<i8>
    %v10 = divi %v9, %v6 signed : tile<i8>
    return %v3, %v7, %v10 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_nonnegative_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v1 = assume bounded<0, ?>, %x : tile<i8>
    %v2 = assume bounded<0, ?>, %y : tile<i8>
    %v3 = divi %v1, %v2 unsigned : tile<i8>
    %v4 = assume bounded<0, ?>, %x : tile<i8>
    %v5 = constant <i8: 3> : tile<i8>
    %v6 = divi %v4, %v5 unsigned : tile<i8>
    %v7 = assume bounded<0, ?>, %x : tile<i8>
    %v8 = divi %v7, %v5 unsigned rounding<positive_inf> : tile<i8>
    return %v3, %v6, %v8 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @div_nonnegative_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v2 = assume bounded<0, ?>, %y : tile<2x4xi8>
    %v3 = divi %v1, %v2 unsigned : tile<2x4xi8>
    %v4 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v5 = constant <i8: 3> : tile<2x4xi8>
    %v6 = divi %v4, %v5 unsigned : tile<2x4xi8>
    %v7 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v8 = divi %v7, %v5 unsigned rounding<positive_inf> : tile<2x4xi8>
    return %v3, %v6, %v8 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @div_nonnegative_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = assume bounded<0, ?>, %x : tile<i8>
    %v2 = divi %v1, %y signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @rem_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 0> : tile<i8>
    return %v1, %v1 : tile<i8>, tile<i8>
  }
  testing$func @rem_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    return %v1, %v1 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @rem_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = remi %x, %y signed : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @rem_small_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v5 = andi %x, %v1 : tile<i8>
    return %v2, %v5 : tile<i8>, tile<i8>
  }
  testing$func @rem_small_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v5 = andi %x, %v1 : tile<2x4xi8>
    return %v2, %v5 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @rem_small_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @rem_small_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @rem_small_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = remi %v2, %y signed : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @rem_negative_divisor_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 5> : tile<i8>
    %v2 = remi %x, %0 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @rem_negative_divisor_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 5> : tile<2x4xi8>
    %v2 = remi %x, %0 signed : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @rem_negative_divisor_one_short(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: -5> : tile<i8>
    %v2 = remi %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: -128> : tile<i8>
    %v4 = remi %x, %v3 signed : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
  testing$func @rem_power_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %0 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %0 : tile<i8>
    %v3 = assume bounded<0, ?>, %x : tile<i8>
    %v4 = andi %v3, %0 : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
  testing$func @rem_power_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %0 = constant <i8: 15> : tile<2x4xi8>
    %v2 = andi %x, %0 : tile<2x4xi8>
    %v3 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v4 = andi %v3, %0 : tile<2x4xi8>
    return %v2, %v4 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @rem_power_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = remi %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @rem_nonnegative_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = assume bounded<0, ?>, %x : tile<i8>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = remi %v1, %v2 unsigned : tile<i8>
    %v4 = assume bounded<0, ?>, %x : tile<i8>
    %v5 = assume bounded<0, ?>, %y : tile<i8>
    %v6 = remi %v4, %v5 unsigned : tile<i8>
    return %v3, %v6 : tile<i8>, tile<i8>
  }
  testing$func @rem_nonnegative_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v2 = constant <i8: 5> : tile<2x4xi8>
    %v3 = remi %v1, %v2 unsigned : tile<2x4xi8>
    %v4 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v5 = assume bounded<0, ?>, %y : tile<2x4xi8>
    %v6 = remi %v4, %v5 unsigned : tile<2x4xi8>
    return %v3, %v6 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @rem_nonnegative_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = remi %x, %v1 signed : tile<i8>
    %v3 = assume bounded<0, ?>, %x : tile<i8>
    %v4 = remi %v3, %y signed : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
}
// rewrites:
//    8 div_one
//    9 div_one
//   14 div_one
//   15 div_one
//   25 div_minus_one
//   30 div_minus_one
//   39 div_same
//   40 div_same
//   44 div_same
//   45 div_same
//   54 div_of_product
//   56 div_of_product
//   61 div_of_product
//   63 div_of_product
//   73 div_power
//   75 div_power
//   76 div_power
//   81 div_power
//   83 div_power
//   84 div_power
//   90 div_power
//   92 div_power
//   94 div_power
//  100 div_power
//  102 div_power
//  104 div_power
//  110 div_power
//  111 shr_then_mul
//  111 and_known
//  117 div_power
//  118 shr_then_mul
//  118 and_known
//  130 div_up_power
//  132 div_up_power
//  139 div_up_power
//  141 div_up_power
//  154 div_div
//  156 div_div
//  158 div_div
//  165 div_div
//  167 div_div
//  169 div_div
//  175 known_value
//  188 div_nonnegative
//  191 div_nonnegative
//  193 div_nonnegative
//  199 div_nonnegative
//  202 div_nonnegative
//  204 div_nonnegative
//  213 rem_same
//  214 rem_same
//  218 rem_same
//  219 rem_same
//  230 rem_small
//  232 rem_small
//  239 rem_small
//  241 rem_small
//  249 rem_small
//  257 rem_small
//  268 rem_negative_divisor
//  273 rem_negative_divisor
//  285 rem_power
//  287 rem_power
//  292 rem_power
//  294 rem_power
//  305 rem_nonnegative
//  308 rem_nonnegative
//  314 rem_nonnegative
//  317 rem_nonnegative
