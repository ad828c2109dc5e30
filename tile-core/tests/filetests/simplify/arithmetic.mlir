// test: opt --passes=simplify
// Sums, products, negation, extremes.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @constant_right_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>, tile<i8>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = addi %v1, %x : tile<i8>
    %v3 = muli %v1, %x : tile<i8>
    %v4 = maxi %v1, %x signed : tile<i8>
    %v5 = mulhii %v1, %x : tile<i8>
    return %v2, %v3, %v4, %v5 : tile<i8>, tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @constant_right_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = addi %v1, %x : tile<2x4xi8>
    %v3 = muli %v1, %x : tile<2x4xi8>
    %v4 = maxi %v1, %x signed : tile<2x4xi8>
    %v5 = mulhii %v1, %x : tile<2x4xi8>
    return %v2, %v3, %v4, %v5 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @constant_right_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_zero_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_zero_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = addi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @add_zero_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_constants_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = addi %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @add_constants_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = addi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 7> : tile<2x4xi8>
    %v4 = addi %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @add_constants_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 100> : tile<i8>
    %v2 = addi %x, %v1 overflow<no_signed_wrap> : tile<i8>
    %v3 = constant <i8: 20> : tile<i8>
    %v4 = addi %v2, %v3 overflow<no_signed_wrap> : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @add_constants_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 100> : tile<2x4xi8>
    %v2 = addi %x, %v1 overflow<no_signed_wrap> : tile<2x4xi8>
    %v3 = constant <i8: 20> : tile<2x4xi8>
    %v4 = addi %v2, %v3 overflow<no_signed_wrap> : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @add_constants_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 100> : tile<i8>
    %v2 = addi %x, %v1 overflow<no_wrap> : tile<i8>
    %v3 = addi %v2, %v1 overflow<no_wrap> : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @add_constants_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 100> : tile<2x4xi8>
    %v2 = addi %x, %v1 overflow<no_wrap> : tile<2x4xi8>
    %v3 = addi %v2, %v1 overflow<no_wrap> : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @add_constants_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = subi %x, %v1 : tile<i8>
    %v3 = addi %v2, %x : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @add_negated_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = negi %y : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_negated_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = negi %y : tile<2x4xi8>
    %v2 = addi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @add_negated_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = negi %y : tile<i8>
    %v2 = addi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_negated_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = negi %y : tile<2x4xi8>
    %v2 = addi %v1, %x : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @add_negated_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = absi %y : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_cancels_sub_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    %v2 = addi %v1, %y : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_cancels_sub_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = subi %x, %y : tile<2x4xi8>
    %v2 = addi %v1, %y : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @add_cancels_sub_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    %v2 = addi %y, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_cancels_sub_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = subi %x, %y : tile<2x4xi8>
    %v2 = addi %y, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @add_cancels_sub_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    %v2 = addi %v1, %z : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @difference_plus_constant_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = addi %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @difference_plus_constant_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = subi %v1, %x : tile<2x4xi8>
    %v3 = constant <i8: 7> : tile<2x4xi8>
    %v4 = addi %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @difference_plus_constant_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %y, %x : tile<i8>
    %v2 = constant <i8: 7> : tile<i8>
    %v3 = addi %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %x : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @sub_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = subi %x, %x : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @sub_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @sub_zero_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = subi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_zero_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = subi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_zero_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_constant_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = subi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_constant_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = subi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_constant_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = subi %x, %v1 overflow<no_wrap> : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_constant_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = subi %x, %v1 overflow<no_wrap> : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_constant_3_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -128> : tile<i8>
    %v2 = subi %x, %v1 overflow<no_signed_wrap> : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_constant_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -128> : tile<2x4xi8>
    %v2 = subi %x, %v1 overflow<no_signed_wrap> : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_constant_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @zero_sub_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @zero_sub_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = subi %v1, %x : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @zero_sub_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_negated_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = negi %y : tile<i8>
    %v2 = subi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_negated_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = negi %y : tile<2x4xi8>
    %v2 = subi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_negated_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = absi %y : tile<i8>
    %v2 = subi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_cancels_add_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = addi %x, %y : tile<i8>
    %v2 = subi %v1, %y : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_cancels_add_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = addi %x, %y : tile<2x4xi8>
    %v2 = subi %v1, %y : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_cancels_add_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = addi %y, %x : tile<i8>
    %v2 = subi %v1, %y : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_cancels_add_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = addi %y, %x : tile<2x4xi8>
    %v2 = subi %v1, %y : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_cancels_add_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = addi %x, %y : tile<i8>
    %v2 = subi %v1, %z : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_sub_cancels_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    %v2 = subi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_sub_cancels_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = subi %x, %y : tile<2x4xi8>
    %v2 = subi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_sub_cancels_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    %v2 = subi %z, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @constant_minus_sum_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = subi %v3, %v2 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @constant_minus_sum_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = addi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = subi %v3, %v2 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @constant_minus_sum_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = addi %x, %y : tile<i8>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = subi %v2, %v1 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @constant_minus_difference_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = subi %v3, %v2 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @constant_minus_difference_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = subi %v1, %x : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = subi %v3, %v2 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @constant_minus_difference_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %y, %x : tile<i8>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = subi %v2, %v1 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_masked_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = subi %x, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_masked_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 15> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = subi %x, %v2 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @sub_masked_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = subi %y, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_multiple_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = divi %x, %y signed : tile<i8>
    %v2 = muli %v1, %y : tile<i8>
    %v3 = subi %x, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_multiple_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = divi %x, %y signed : tile<2x4xi8>
    %v2 = muli %v1, %y : tile<2x4xi8>
    %v3 = subi %x, %v2 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @sub_multiple_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = divi %x, %y signed rounding<negative_inf> : tile<i8>
    %v2 = muli %v1, %y : tile<i8>
    %v3 = subi %x, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @mul_one_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_one_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 1> : tile<2x4xi8>
    %v2 = muli %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @mul_one_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_minus_one_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_minus_one_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    %v2 = muli %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @mul_minus_one_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -2> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_constants_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = muli %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @mul_constants_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = muli %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = muli %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @mul_constants_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = muli %x, %v1 overflow<no_wrap> : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = muli %v2, %v3 overflow<no_wrap> : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @mul_constants_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = muli %x, %v1 overflow<no_wrap> : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = muli %v2, %v3 overflow<no_wrap> : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @mul_constants_3_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = muli %x, %v1 overflow<no_wrap> : tile<i8>
    %v3 = muli %v2, %v1 overflow<no_wrap> : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @mul_constants_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 15> : tile<2x4xi8>
    %v2 = muli %x, %v1 overflow<no_wrap> : tile<2x4xi8>
    %v3 = muli %v2, %v1 overflow<no_wrap> : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @mul_constants_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = muli %x, %y : tile<i8>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = muli %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @shr_then_mul_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shri %x, %v1 signed : tile<i8>
    %v3 = constant <i8: 8> : tile<i8>
    %v4 = muli %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_then_mul_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = shri %x, %v1 signed : tile<2x4xi8>
    %v3 = constant <i8: 8> : tile<2x4xi8>
    %v4 = muli %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_then_mul_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 8> : tile<i8>
    %v4 = muli %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_then_mul_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = shri %x, %v1 unsigned : tile<2x4xi8>
    %v3 = constant <i8: 8> : tile<2x4xi8>
    %v4 = muli %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_then_mul_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shri %x, %v1 signed : tile<i8>
    %v3 = constant <i8: 16> : tile<i8>
    %v4 = muli %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @neg_neg_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = negi %x : tile<i8>
    %v2 = negi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @neg_neg_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = negi %x : tile<2x4xi8>
    %v2 = negi %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @neg_neg_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = absi %x : tile<i8>
    %v2 = negi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @neg_difference_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    %v2 = negi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @neg_difference_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = subi %x, %y : tile<2x4xi8>
    %v2 = negi %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @neg_difference_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = addi %x, %y : tile<i8>
    %v2 = negi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_nonnegative_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume bounded<0, ?>, %x : tile<i8>
    %v2 = absi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_nonnegative_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume bounded<0, ?>, %x : tile<2x4xi8>
    %v2 = absi %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @abs_nonnegative_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = absi %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @abs_nonnegative_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 1> : tile<2x4xi8>
    %v2 = shri %x, %v1 unsigned : tile<2x4xi8>
    %v3 = absi %v2 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @abs_nonnegative_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = assume bounded<-1, ?>, %x : tile<i8>
    %v2 = absi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_abs_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = absi %x : tile<i8>
    %v2 = absi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_abs_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = absi %x : tile<2x4xi8>
    %v2 = absi %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @abs_abs_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = absi %x : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @abs_negated_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = negi %x : tile<i8>
    %v2 = absi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_negated_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = negi %x : tile<2x4xi8>
    %v2 = absi %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @abs_negated_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    %v3 = absi %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @extreme_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = maxi %x, %x signed : tile<i8>
    %v2 = mini %x, %x signed : tile<i8>
    return %v1, %v2 : tile<i8>, tile<i8>
  }
  testing$func @extreme_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = maxi %x, %x signed : tile<2x4xi8>
    %v2 = mini %x, %x signed : tile<2x4xi8>
    return %v1, %v2 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = maxi %x, %y signed : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @extreme_ordered_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 127> : tile<i8>
    %v2 = maxi %x, %v1 signed : tile<i8>
    %v3 = constant <i8: -1> : tile<i8>
    %v4 = mini %x, %v3 unsigned : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
  testing$func @extreme_ordered_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 127> : tile<2x4xi8>
    %v2 = maxi %x, %v1 signed : tile<2x4xi8>
    %v3 = constant <i8: -1> : tile<2x4xi8>
    %v4 = mini %x, %v3 unsigned : tile<2x4xi8>
    return %v2, %v4 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_ordered_2_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = maxi %v2, %v1 signed : tile<i8>
    %v4 = andi %x, %v1 : tile<i8>
    %v5 = mini %v4, %v1 signed : tile<i8>
    return %v3, %v5 : tile<i8>, tile<i8>
  }
  testing$func @extreme_ordered_2_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 15> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = maxi %v2, %v1 signed : tile<2x4xi8>
    %v4 = andi %x, %v1 : tile<2x4xi8>
    %v5 = mini %v4, %v1 signed : tile<2x4xi8>
    return %v3, %v5 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_ordered_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 14> : tile<i8>
    %v4 = maxi %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @extreme_constants_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = maxi %x, %v1 signed : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = maxi %v2, %v3 signed : tile<i8>
    %v5 = mini %x, %v1 signed : tile<i8>
    %v6 = mini %v5, %v3 signed : tile<i8>
    return %v4, %v6 : tile<i8>, tile<i8>
  }
  testing$func @extreme_constants_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = maxi %x, %v1 signed : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = maxi %v2, %v3 signed : tile<2x4xi8>
    %v5 = mini %x, %v1 signed : tile<2x4xi8>
    %v6 = mini %v5, %v3 signed : tile<2x4xi8>
    return %v4, %v6 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_constants_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -3> : tile<i8>
    %v2 = maxi %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = maxi %v2, %v3 unsigned : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @extreme_constants_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -3> : tile<2x4xi8>
    %v2 = maxi %x, %v1 unsigned : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = maxi %v2, %v3 unsigned : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @extreme_constants_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = maxi %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = maxi %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @extreme_absorbs_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = maxi %x, %y signed : tile<i8>
    %v2 = maxi %x, %v1 signed : tile<i8>
    %v3 = mini %y, %x signed : tile<i8>
    %v4 = maxi %x, %v3 signed : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
  testing$func @extreme_absorbs_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = maxi %x, %y signed : tile<2x4xi8>
    %v2 = maxi %x, %v1 signed : tile<2x4xi8>
    %v3 = mini %y, %x signed : tile<2x4xi8>
    %v4 = maxi %x, %v3 signed : tile<2x4xi8>
    return %v2, %v4 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_absorbs_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = mini %x, %y signed : tile<i8>
    %v2 = mini %v1, %x signed : tile<i8>
    %v3 = maxi %x, %y signed : tile<i8>
    %v4 = mini %v3, %y signed : tile<i8>
    return %v2, %v4 : tile<i8>, tile<i8>
  }
  testing$func @extreme_absorbs_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = mini %x, %y signed : tile<2x4xi8>
    %v2 = mini %v1, %x signed : tile<2x4xi8>
    %v3 = maxi %x, %y signed : tile<2x4xi8>
    %v4 = mini %v3, %y signed : tile<2x4xi8>
    return %v2, %v4 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_absorbs_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = maxi %x, %y signed : tile<i8>
    %v2 = maxi %z, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_high_power_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 16> : tile<i8>
    %v2 = mulhii %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_high_power_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 16> : tile<2x4xi8>
    %v2 = mulhii %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @mul_high_power_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 12> : tile<i8>
    %v2 = mulhii %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
}
// output:
cuda_tile.module @m {
  testing$func @constant_right_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>, tile<i8>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    %v3 = muli %x, %v1 : tile<i8>
    %v4 = maxi %x, %v1 signed : tile<i8>
    %v5 = mulhii %x, %v1 : tile<i8>
    return %v2, %v3, %v4, %v5 : tile<i8>, tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @constant_right_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = addi %x, %v1 : tile<2x4xi8>
    %v3 = muli %x, %v1 : tile<2x4xi8>
    %v4 = maxi %x, %v1 signed : tile<2x4xi8>
    %v5 = mulhii %x, %v1 : tile<2x4xi8>
    return %v2, %v3, %v4, %v5 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @constant_right_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_zero_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @add_zero_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @add_zero_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_constants_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 12> : tile<i8>
    %v4 = addi %x, %0 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @add_constants_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 12> : tile<2x4xi8>
    %v4 = addi %x, %0 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @add_constants_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 120> : tile<i8>
    %v4 = addi %x, %0 overflow<no_signed_wrap> : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @add_constants_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 120> : tile<2x4xi8>
    %v4 = addi %x, %0 overflow<no_signed_wrap> : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @add_constants_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -56> : tile<i8>
    %v3 = addi %x, %0 overflow<no_unsigned_wrap> : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @add_constants_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -56> : tile<2x4xi8>
    %v3 = addi %x, %0 overflow<no_unsigned_wrap> : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @add_constants_one_short(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -5> : tile<i8>
    %v2 = addi %x, %0 : tile<i8>
    %v3 = addi %v2, %x : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @add_negated_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v2 = subi %x, %y : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_negated_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = subi %x, %y : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @add_negated_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v2 = subi %x, %y : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_negated_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = subi %x, %y : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @add_negated_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = absi %y : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @add_cancels_sub_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @add_cancels_sub_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @add_cancels_sub_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @add_cancels_sub_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @add_cancels_sub_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    %v2 = addi %v1, %z : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @difference_plus_constant_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 12> : tile<i8>
    %v4 = subi %0, %x : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @difference_plus_constant_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 12> : tile<2x4xi8>
    %v4 = subi %0, %x : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @difference_plus_constant_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %y, %x : tile<i8>
    %v2 = constant <i8: 7> : tile<i8>
    %v3 = addi %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @sub_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @sub_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @sub_zero_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @sub_zero_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @sub_zero_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_constant_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -5> : tile<i8>
    %v2 = addi %x, %0 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_constant_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -5> : tile<2x4xi8>
    %v2 = addi %x, %0 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_constant_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -5> : tile<i8>
    %v2 = addi %x, %0 overflow<no_signed_wrap> : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_constant_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -5> : tile<2x4xi8>
    %v2 = addi %x, %0 overflow<no_signed_wrap> : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_constant_3_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -128> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_constant_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -128> : tile<2x4xi8>
    %v2 = addi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_constant_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @zero_sub_rank_0(%x: tile<i8>) -> tile<i8> {
    %v2 = negi %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @zero_sub_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = negi %x : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @zero_sub_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_negated_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v2 = addi %x, %y : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_negated_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = addi %x, %y : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @sub_negated_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = absi %y : tile<i8>
    %v2 = subi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_cancels_add_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @sub_cancels_add_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @sub_cancels_add_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @sub_cancels_add_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @sub_cancels_add_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = addi %x, %y : tile<i8>
    %v2 = subi %v1, %z : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @sub_sub_cancels_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    return %y : tile<i8>
  }
  testing$func @sub_sub_cancels_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    return %y : tile<2x4xi8>
  }
  testing$func @sub_sub_cancels_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = subi %x, %y : tile<i8>
    %v2 = subi %z, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @constant_minus_sum_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -2> : tile<i8>
    %v4 = subi %0, %x : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @constant_minus_sum_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -2> : tile<2x4xi8>
    %v4 = subi %0, %x : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @constant_minus_sum_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = addi %x, %y : tile<i8>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = subi %v2, %v1 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @constant_minus_difference_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -2> : tile<i8>
    %v4 = addi %x, %0 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @constant_minus_difference_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -2> : tile<2x4xi8>
    %v4 = addi %x, %0 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @constant_minus_difference_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = subi %y, %x : tile<i8>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = subi %v2, %v1 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_masked_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -16> : tile<i8>
    %v3 = andi %x, %0 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_masked_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -16> : tile<2x4xi8>
    %v3 = andi %x, %0 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @sub_masked_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = subi %y, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_multiple_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v3 = remi %x, %y signed : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @sub_multiple_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v3 = remi %x, %y signed : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @sub_multiple_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = divi %x, %y signed rounding<negative_inf> : tile<i8>
    %v2 = muli %v1, %y : tile<i8>
    %v3 = subi %x, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @mul_one_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @mul_one_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @mul_one_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_minus_one_rank_0(%x: tile<i8>) -> tile<i8> {
    %v2 = negi %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_minus_one_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = negi %x : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @mul_minus_one_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -2> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_constants_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 15> : tile<i8>
    %v4 = muli %x, %0 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @mul_constants_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 15> : tile<2x4xi8>
    %v4 = muli %x, %0 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @mul_constants_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 15> : tile<i8>
    %v4 = muli %x, %0 overflow<no_wrap> : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @mul_constants_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 15> : tile<2x4xi8>
    %v4 = muli %x, %0 overflow<no_wrap> : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @mul_constants_3_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -31> : tile<i8>
    %v3 = muli %x, %0 overflow<no_unsigned_wrap> : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @mul_constants_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -31> : tile<2x4xi8>
    %v3 = muli %x, %0 overflow<no_unsigned_wrap> : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @mul_constants_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = muli %x, %y : tile<i8>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = muli %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @shr_then_mul_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -8> : tile<i8>
    %v4 = andi %x, %0 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_then_mul_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -8> : tile<2x4xi8>
    %v4 = andi %x, %0 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_then_mul_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -8> : tile<i8>
    %v4 = andi %x, %0 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_then_mul_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -8> : tile<2x4xi8>
    %v4 = andi %x, %0 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_then_mul_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shri %x, %v1 signed : tile<i8>
    %v3 = constant <i8: 16> : tile<i8>
    %v4 = muli %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @neg_neg_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @neg_neg_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @neg_neg_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = absi %x : tile<i8>
    %v2 = negi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @neg_difference_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v2 = subi %y, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @neg_difference_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = subi %y, %x : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @neg_difference_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = addi %x, %y : tile<i8>
    %v2 = negi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_nonnegative_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume bounded<0, ?>, %x : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @abs_nonnegative_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume bounded<0, ?>, %x : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @abs_nonnegative_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_nonnegative_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 1> : tile<2x4xi8>
    %v2 = shri %x, %v1 unsigned : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @abs_nonnegative_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = assume bounded<-1, ?>, %x : tile<i8>
    %v2 = absi %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_abs_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = absi %x : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @abs_abs_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = absi %x : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @abs_abs_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = absi %x : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @abs_negated_rank_0(%x: tile<i8>) -> tile<i8> {
    %v2 = absi %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @abs_negated_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = absi %x : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @abs_negated_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = subi %v1, %x : tile<i8>
    %v3 = absi %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @extreme_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    return %x, %x : tile<i8>, tile<i8>
  }
  testing$func @extreme_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    return %x, %x : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = maxi %x, %y signed : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @extreme_ordered_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 127> : tile<i8>
    return %v1, %x : tile<i8>, tile<i8>
  }
  testing$func @extreme_ordered_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 127> : tile<2x4xi8>
    return %v1, %x : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_ordered_2_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 15> : tile<i8>
    %v4 = andi %x, %v1 : tile<i8>
    return %v1, %v4 : tile<i8>, tile<i8>
  }
  testing$func @extreme_ordered_2_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 15> : tile<2x4xi8>
    %v4 = andi %x, %v1 : tile<2x4xi8>
    return %v1, %v4 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_ordered_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 14> : tile<i8>
    %v4 = maxi %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @extreme_constants_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 3> : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = maxi %x, %v3 signed : tile<i8>
    %v5 = mini %x, %v1 signed : tile<i8>
    return %v4, %v5 : tile<i8>, tile<i8>
  }
  testing$func @extreme_constants_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = maxi %x, %v3 signed : tile<2x4xi8>
    %v5 = mini %x, %v1 signed : tile<2x4xi8>
    return %v4, %v5 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_constants_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -3> : tile<i8>
    %v2 = maxi %x, %v1 unsigned : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @extreme_constants_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -3> : tile<2x4xi8>
    %v2 = maxi %x, %v1 unsigned : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @extreme_constants_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = maxi %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = maxi %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @extreme_absorbs_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = maxi %x, %y signed : tile<i8>
    return %v1, %x : tile<i8>, tile<i8>
  }
  testing$func @extreme_absorbs_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = maxi %x, %y signed : tile<2x4xi8>
    return %v1, %x : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_absorbs_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = mini %x, %y signed : tile<i8>
    return %v1, %y : tile<i8>, tile<i8>
  }
  testing$func @extreme_absorbs_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = mini %x, %y signed : tile<2x4xi8>
    return %v1, %y : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @extreme_absorbs_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = maxi %x, %y signed : tile<i8>
    %v2 = maxi %z, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_high_power_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 4> : tile<i8>
    %v2 = shri %x, %0 unsigned : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @mul_high_power_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 4> : tile<2x4xi8>
    %v2 = shri %x, %0 unsigned : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @mul_high_power_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 12> : tile<i8>
    %v2 = mulhii %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
}
// rewrites:
//    8 constant_right
//    9 constant_right
//   10 constant_right
//   11 constant_right
//   16 constant_right
//   17 constant_right
//   18 constant_right
//   19 constant_right
//   29 add_zero
//   34 add_zero
//   46 add_constants
//   53 add_constants
//   60 add_constants
//   67 add_constants
//   73 add_constants
//   79 add_constants
//   84 sub_constant
//   90 add_negated
//   95 add_negated
//  100 add_negated
//  105 add_negated
//  115 add_cancels_sub
//  120 add_cancels_sub
//  125 add_cancels_sub
//  130 add_cancels_sub
//  142 difference_plus_constant
//  149 difference_plus_constant
//  159 sub_same
//  163 sub_same
//  172 sub_zero
//  177 sub_zero
//  187 sub_constant
//  192 sub_constant
//  197 sub_constant
//  202 sub_constant
//  207 sub_constant
//  212 sub_constant
//  221 zero_sub
//  226 zero_sub
//  236 sub_negated
//  241 sub_negated
//  251 sub_cancels_add
//  256 sub_cancels_add
//  261 sub_cancels_add
//  266 sub_cancels_add
//  276 sub_sub_cancels
//  281 sub_sub_cancels
//  293 constant_minus_sum
//  300 constant_minus_sum
//  313 constant_minus_difference
//  320 constant_minus_difference
//  332 sub_masked
//  338 sub_masked
//  350 sub_multiple
//  356 sub_multiple
//  367 mul_one
//  372 mul_one
//  382 mul_minus_one
//  387 mul_minus_one
//  399 mul_constants
//  406 mul_constants
//  413 mul_constants
//  420 mul_constants
//  426 mul_constants
//  432 mul_constants
//  445 shr_then_mul
//  452 shr_then_mul
//  459 shr_then_mul
//  466 shr_then_mul
//  478 neg_neg
//  483 neg_neg
//  493 neg_difference
//  498 neg_difference
//  508 abs_nonnegative
//  513 abs_nonnegative
//  519 abs_nonnegative
//  525 abs_nonnegative
//  535 abs_abs
//  540 abs_abs
//  549 abs_negated
//  554 abs_negated
//  564 extreme_same
//  565 extreme_same
//  569 extreme_same
//  570 extreme_same
//  579 known_value
//  581 extreme_ordered
//  586 known_value
//  588 extreme_ordered
//  594 known_value
//  596 extreme_ordered
//  602 known_value
//  604 extreme_ordered
//  618 extreme_constants
//  620 extreme_ordered
//  627 extreme_constants
//  629 extreme_ordered
//  636 extreme_ordered
//  643 extreme_ordered
//  655 extreme_absorbs
//  657 extreme_absorbs
//  662 extreme_absorbs
//  664 extreme_absorbs
//  669 extreme_absorbs
//  671 extreme_absorbs
//  676 extreme_absorbs
//  678 extreme_absorbs
//  688 mul_high_power
//  693 mul_high_power
