// test: opt --passes=simplify
// Comparisons of integers.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @compare_mirrored_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = cmpi less_than %v1, %x, signed : tile<i8> -> tile<i1>
    %v3 = cmpi greater_than %v1, %x, signed : tile<i8> -> tile<i1>
    %v4 = cmpi equal %v1, %x, signed : tile<i8> -> tile<i1>
    return %v2, %v3, %v4 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_mirrored_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = cmpi less_than %v1, %x, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = cmpi greater_than %v1, %x, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = cmpi equal %v1, %x, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v3, %v4 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_mirrored_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = cmpi less_than %y, %x, signed : tile<i8> -> tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @compare_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = cmpi less_than %x, %x, signed : tile<i8> -> tile<i1>
    %v2 = cmpi less_than_or_equal %x, %x, signed : tile<i8> -> tile<i1>
    %v3 = cmpi not_equal %x, %x, signed : tile<i8> -> tile<i1>
    return %v1, %v2, %v3 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = cmpi less_than %x, %x, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v2 = cmpi less_than_or_equal %x, %x, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = cmpi not_equal %x, %x, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v1, %v2, %v3 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @compare_known_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = cmpi less_than %x, %v1, unsigned : tile<i8> -> tile<i1>
    %v3 = assume bounded<0, 10>, %x : tile<i8>
    %v4 = constant <i8: 10> : tile<i8>
    %v5 = cmpi greater_than %v3, %v4, signed : tile<i8> -> tile<i1>
    %v6 = constant <i8: -2> : tile<i8>
    %v7 = andi %x, %v6 : tile<i8>
    %v8 = constant <i8: 1> : tile<i8>
    %v9 = cmpi equal %v7, %v8, signed : tile<i8> -> tile<i1>
    return %v2, %v5, %v9 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_known_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = cmpi less_than %x, %v1, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = assume bounded<0, 10>, %x : tile<2x4xi8>
    %v4 = constant <i8: 10> : tile<2x4xi8>
    %v5 = cmpi greater_than %v3, %v4, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = constant <i8: -2> : tile<2x4xi8>
    %v7 = andi %x, %v6 : tile<2x4xi8>
    %v8 = constant <i8: 1> : tile<2x4xi8>
    %v9 = cmpi equal %v7, %v8, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v5, %v9 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_known_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 8> : tile<i8>
    %v4 = andi %y, %v3 : tile<i8>
    %v5 = cmpi greater_than_or_equal %v2, %v4, signed : tile<i8> -> tile<i1>
    %v6 = andi %x, %v1 : tile<i8>
    %v7 = constant <i8: 1> : tile<i8>
    %v8 = addi %v6, %v7 : tile<i8>
    %v9 = constant <i8: 0> : tile<i8>
    %v10 = cmpi not_equal %v8, %v9, signed : tile<i8> -> tile<i1>
    return %v5, %v10 : tile<i1>, tile<i1>
  }
  testing$func @compare_known_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 8> : tile<2x4xi8>
    %v4 = andi %y, %v3 : tile<2x4xi8>
    %v5 = cmpi greater_than_or_equal %v2, %v4, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = andi %x, %v1 : tile<2x4xi8>
    %v7 = constant <i8: 1> : tile<2x4xi8>
    %v8 = addi %v6, %v7 : tile<2x4xi8>
    %v9 = constant <i8: 0> : tile<2x4xi8>
    %v10 = cmpi not_equal %v8, %v9, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v5, %v10 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_known_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = assume bounded<0, 10>, %x : tile<i8>
    %v2 = constant <i8: 9> : tile<i8>
    %v3 = cmpi greater_than %v1, %v2, signed : tile<i8> -> tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @compare_bool_rank_0(%c: tile<i1>, %d: tile<i1>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = cmpi equal %c, %v1, signed : tile<i1> -> tile<i1>
    %v3 = constant <i1: false> : tile<i1>
    %v4 = cmpi not_equal %c, %v3, signed : tile<i1> -> tile<i1>
    %v5 = cmpi equal %c, %v3, signed : tile<i1> -> tile<i1>
    %v6 = cmpi not_equal %c, %v1, signed : tile<i1> -> tile<i1>
    return %v2, %v4, %v5, %v6 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_bool_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %v2 = cmpi equal %c, %v1, signed : tile<2x4xi1> -> tile<2x4xi1>
    %v3 = constant <i1: false> : tile<2x4xi1>
    %v4 = cmpi not_equal %c, %v3, signed : tile<2x4xi1> -> tile<2x4xi1>
    %v5 = cmpi equal %c, %v3, signed : tile<2x4xi1> -> tile<2x4xi1>
    %v6 = cmpi not_equal %c, %v1, signed : tile<2x4xi1> -> tile<2x4xi1>
    return %v2, %v4, %v5, %v6 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_bool_one_short(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = cmpi equal %c, %d, signed : tile<i1> -> tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @compare_strict_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = cmpi less_than_or_equal %x, %v1, signed : tile<i8> -> tile<i1>
    %v3 = cmpi greater_than_or_equal %x, %v1, signed : tile<i8> -> tile<i1>
    %v4 = cmpi less_than_or_equal %x, %v1, unsigned : tile<i8> -> tile<i1>
    %v5 = cmpi greater_than_or_equal %x, %v1, unsigned : tile<i8> -> tile<i1>
    return %v2, %v3, %v4, %v5 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_strict_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = cmpi less_than_or_equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = cmpi greater_than_or_equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = cmpi less_than_or_equal %x, %v1, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = cmpi greater_than_or_equal %x, %v1, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v3, %v4, %v5 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_strict_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = cmpi less_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = cmpi less_than %x, %v2, signed : tile<i8> -> tile<i1>
    return %v1, %v3 : tile<i1>, tile<i1>
  }
  testing$func @compare_edge_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = cmpi less_than %x, %v1, unsigned : tile<i8> -> tile<i1>
    %v3 = constant <i8: 0> : tile<i8>
    %v4 = cmpi greater_than %x, %v3, unsigned : tile<i8> -> tile<i1>
    %v5 = constant <i8: -1> : tile<i8>
    %v6 = cmpi less_than %x, %v5, unsigned : tile<i8> -> tile<i1>
    %v7 = constant <i8: -2> : tile<i8>
    %v8 = cmpi greater_than %x, %v7, unsigned : tile<i8> -> tile<i1>
    return %v2, %v4, %v6, %v8 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_edge_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 1> : tile<2x4xi8>
    %v2 = cmpi less_than %x, %v1, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = constant <i8: 0> : tile<2x4xi8>
    %v4 = cmpi greater_than %x, %v3, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = constant <i8: -1> : tile<2x4xi8>
    %v6 = cmpi less_than %x, %v5, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = constant <i8: -2> : tile<2x4xi8>
    %v8 = cmpi greater_than %x, %v7, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v4, %v6, %v8 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_edge_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 127> : tile<i8>
    %v2 = cmpi less_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v3 = constant <i8: -128> : tile<i8>
    %v4 = cmpi greater_than %x, %v3, signed : tile<i8> -> tile<i1>
    %v5 = constant <i8: -127> : tile<i8>
    %v6 = cmpi less_than %x, %v5, signed : tile<i8> -> tile<i1>
    %v7 = constant <i8: 126> : tile<i8>
    %v8 = cmpi greater_than %x, %v7, signed : tile<i8> -> tile<i1>
    return %v2, %v4, %v6, %v8 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_edge_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 127> : tile<2x4xi8>
    %v2 = cmpi less_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = constant <i8: -128> : tile<2x4xi8>
    %v4 = cmpi greater_than %x, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = constant <i8: -127> : tile<2x4xi8>
    %v6 = cmpi less_than %x, %v5, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = constant <i8: 126> : tile<2x4xi8>
    %v8 = cmpi greater_than %x, %v7, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v4, %v6, %v8 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_edge_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 2> : tile<i8>
    %v2 = cmpi less_than %x, %v1, unsigned : tile<i8> -> tile<i1>
    %v3 = constant <i8: 1> : tile<i8>
    %v4 = cmpi greater_than %x, %v3, unsigned : tile<i8> -> tile<i1>
    return %v2, %v4 : tile<i1>, tile<i1>
  }
  testing$func @compare_sum_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = cmpi equal %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = addi %x, %v1 : tile<i8>
    %v6 = cmpi not_equal %v5, %v3, signed : tile<i8> -> tile<i1>
    return %v4, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sum_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = addi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 7> : tile<2x4xi8>
    %v4 = cmpi equal %v2, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = addi %x, %v1 : tile<2x4xi8>
    %v6 = cmpi not_equal %v5, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v4, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sum_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = addi %x, %v1 overflow<no_signed_wrap> : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = cmpi less_than %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = addi %x, %v1 overflow<no_unsigned_wrap> : tile<i8>
    %v6 = cmpi less_than %v5, %v3, unsigned : tile<i8> -> tile<i1>
    return %v4, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sum_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = addi %x, %v1 overflow<no_signed_wrap> : tile<2x4xi8>
    %v3 = constant <i8: 7> : tile<2x4xi8>
    %v4 = cmpi less_than %v2, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = addi %x, %v1 overflow<no_unsigned_wrap> : tile<2x4xi8>
    %v6 = cmpi less_than %v5, %v3, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v4, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sum_3_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = addi %v2, %v3 : tile<i8>
    %v5 = constant <i8: 7> : tile<i8>
    %v6 = cmpi less_than %v4, %v5, signed : tile<i8> -> tile<i1>
    %v7 = constant <i8: -128> : tile<i8>
    %v8 = ori %x, %v7 : tile<i8>
    %v9 = constant <i8: -3> : tile<i8>
    %v10 = addi %v8, %v9 : tile<i8>
    %v11 = constant <i8: -9> : tile<i8>
    %v12 = cmpi greater_than %v10, %v11, unsigned : tile<i8> -> tile<i1>
    return %v6, %v12 : tile<i1>, tile<i1>
  }
  testing$func @compare_sum_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 15> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = addi %v2, %v3 : tile<2x4xi8>
    %v5 = constant <i8: 7> : tile<2x4xi8>
    %v6 = cmpi less_than %v4, %v5, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = constant <i8: -128> : tile<2x4xi8>
    %v8 = ori %x, %v7 : tile<2x4xi8>
    %v9 = constant <i8: -3> : tile<2x4xi8>
    %v10 = addi %v8, %v9 : tile<2x4xi8>
    %v11 = constant <i8: -9> : tile<2x4xi8>
    %v12 = cmpi greater_than %v10, %v11, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v6, %v12 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sum_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = cmpi less_than %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = addi %x, %v1 overflow<no_signed_wrap> : tile<i8>
    %v6 = cmpi less_than %v5, %v3, unsigned : tile<i8> -> tile<i1>
    return %v4, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sums_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = addi %x, %z : tile<i8>
    %v2 = addi %y, %z : tile<i8>
    %v3 = cmpi equal %v1, %v2, signed : tile<i8> -> tile<i1>
    %v4 = addi %z, %x : tile<i8>
    %v5 = addi %y, %z : tile<i8>
    %v6 = cmpi not_equal %v4, %v5, signed : tile<i8> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sums_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = addi %x, %z : tile<2x4xi8>
    %v2 = addi %y, %z : tile<2x4xi8>
    %v3 = cmpi equal %v1, %v2, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = addi %z, %x : tile<2x4xi8>
    %v5 = addi %y, %z : tile<2x4xi8>
    %v6 = cmpi not_equal %v4, %v5, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sums_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = addi %z, %x : tile<i8>
    %v2 = addi %z, %y : tile<i8>
    %v3 = cmpi equal %v1, %v2, signed : tile<i8> -> tile<i1>
    %v4 = addi %x, %z : tile<i8>
    %v5 = addi %z, %y : tile<i8>
    %v6 = cmpi equal %v4, %v5, signed : tile<i8> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sums_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = addi %z, %x : tile<2x4xi8>
    %v2 = addi %z, %y : tile<2x4xi8>
    %v3 = cmpi equal %v1, %v2, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = addi %x, %z : tile<2x4xi8>
    %v5 = addi %z, %y : tile<2x4xi8>
    %v6 = cmpi equal %v4, %v5, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sums_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i1> {
    %v1 = addi %x, %z : tile<i8>
    %v2 = addi %y, %z : tile<i8>
    %v3 = cmpi less_than %v1, %v2, signed : tile<i8> -> tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @compare_difference_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = subi %x, %y : tile<i8>
    %v2 = constant <i8: 0> : tile<i8>
    %v3 = cmpi equal %v1, %v2, signed : tile<i8> -> tile<i1>
    %v4 = xori %x, %y : tile<i8>
    %v5 = cmpi not_equal %v4, %v2, signed : tile<i8> -> tile<i1>
    return %v3, %v5 : tile<i1>, tile<i1>
  }
  testing$func @compare_difference_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = subi %x, %y : tile<2x4xi8>
    %v2 = constant <i8: 0> : tile<2x4xi8>
    %v3 = cmpi equal %v1, %v2, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = xori %x, %y : tile<2x4xi8>
    %v5 = cmpi not_equal %v4, %v2, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v5 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_difference_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = subi %x, %y : tile<i8>
    %v2 = constant <i8: 0> : tile<i8>
    %v3 = cmpi less_than %v1, %v2, signed : tile<i8> -> tile<i1>
    %v4 = subi %x, %y : tile<i8>
    %v5 = constant <i8: 1> : tile<i8>
    %v6 = cmpi equal %v4, %v5, signed : tile<i8> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_inverted_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = cmpi equal %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = negi %x : tile<i8>
    %v6 = cmpi equal %v5, %v3, signed : tile<i8> -> tile<i1>
    %v7 = subi %v1, %x : tile<i8>
    %v8 = cmpi not_equal %v7, %v3, signed : tile<i8> -> tile<i1>
    return %v4, %v6, %v8 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_inverted_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = xori %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 7> : tile<2x4xi8>
    %v4 = cmpi equal %v2, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = negi %x : tile<2x4xi8>
    %v6 = cmpi equal %v5, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = subi %v1, %x : tile<2x4xi8>
    %v8 = cmpi not_equal %v7, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v4, %v6, %v8 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_inverted_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = cmpi less_than %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = subi %y, %x : tile<i8>
    %v6 = cmpi equal %v5, %v3, signed : tile<i8> -> tile<i1>
    return %v4, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_single_bit_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 8> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = cmpi equal %v2, %v1, signed : tile<i8> -> tile<i1>
    %v4 = andi %x, %v1 : tile<i8>
    %v5 = cmpi not_equal %v4, %v1, signed : tile<i8> -> tile<i1>
    return %v3, %v5 : tile<i1>, tile<i1>
  }
  testing$func @compare_single_bit_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 8> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = cmpi equal %v2, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = andi %x, %v1 : tile<2x4xi8>
    %v5 = cmpi not_equal %v4, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v5 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_single_bit_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = constant <i8: 12> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 8> : tile<i8>
    %v4 = cmpi equal %v2, %v3, signed : tile<i8> -> tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @compare_extended_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = exti %x signed : tile<i8> -> tile<i32>
    %v2 = exti %y signed : tile<i8> -> tile<i32>
    %v3 = cmpi less_than %v1, %v2, signed : tile<i32> -> tile<i1>
    %v4 = exti %x unsigned : tile<i8> -> tile<i32>
    %v5 = exti %y unsigned : tile<i8> -> tile<i32>
    %v6 = cmpi less_than %v4, %v5, signed : tile<i32> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_extended_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = exti %x signed : tile<2x4xi8> -> tile<2x4xi32>
    %v2 = exti %y signed : tile<2x4xi8> -> tile<2x4xi32>
    %v3 = cmpi less_than %v1, %v2, signed : tile<2x4xi32> -> tile<2x4xi1>
    %v4 = exti %x unsigned : tile<2x4xi8> -> tile<2x4xi32>
    %v5 = exti %y unsigned : tile<2x4xi8> -> tile<2x4xi32>
    %v6 = cmpi less_than %v4, %v5, signed : tile<2x4xi32> -> tile<2x4xi1>
    return %v3, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_extended_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = exti %x signed : tile<i8> -> tile<i32>
    %v2 = constant <i32: -5> : tile<i32>
    %v3 = cmpi less_than %v1, %v2, signed : tile<i32> -> tile<i1>
    %v4 = exti %x unsigned : tile<i8> -> tile<i32>
    %v5 = constant <i32: 200> : tile<i32>
    %v6 = cmpi greater_than %v4, %v5, signed : tile<i32> -> tile<i1>
    %v7 = exti %x signed : tile<i8> -> tile<i32>
    %v8 = cmpi less_than %v7, %v2, unsigned : tile<i32> -> tile<i1>
    return %v3, %v6, %v8 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_extended_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = exti %x signed : tile<2x4xi8> -> tile<2x4xi32>
    %v2 = constant <i32: -5> : tile<2x4xi32>
    %v3 = cmpi less_than %v1, %v2, signed : tile<2x4xi32> -> tile<2x4xi1>
    %v4 = exti %x unsigned : tile<2x4xi8> -> tile<2x4xi32>
    %v5 = constant <i32: 200> : tile<2x4xi32>
    %v6 = cmpi greater_than %v4, %v5, signed : tile<2x4xi32> -> tile<2x4xi1>
    %v7 = exti %x signed : tile<2x4xi8> -> tile<2x4xi32>
    %v8 = cmpi less_than %v7, %v2, unsigned : tile<2x4xi32> -> tile<2x4xi1>
    return %v3, %v6, %v8 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_extended_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = exti %x unsigned : tile<i8> -> tile<i32>
    %v2 = exti %y signed : tile<i8> -> tile<i32>
    %v3 = cmpi less_than %v1, %v2, signed : tile<i32> -> tile<i1>
    %v4 = exti %x signed : tile<i8> -> tile<i32>
    %v5 = constant <i32: 200> : tile<i32>
    %v6 = cmpi less_than %v4, %v5, unsigned : tile<i32> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_select_rank_0(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = constant <i8: 3> : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = select %c, %v2, %v3 : tile<i1>, tile<i8>
    %v5 = constant <i8: 5> : tile<i8>
    %v6 = cmpi less_than %v4, %v5, signed : tile<i8> -> tile<i1>
    %v7 = select %c, %v2, %v3 : tile<i1>, tile<i8>
    %v8 = cmpi equal %v7, %v3, signed : tile<i8> -> tile<i1>
    %v9 = select %c, %v2, %v3 : tile<i1>, tile<i8>
    %v10 = constant <i8: 8> : tile<i8>
    %v11 = cmpi greater_than %v9, %v10, signed : tile<i8> -> tile<i1>
    return %v6, %v8, %v11 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_select_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %x: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = constant <i8: 3> : tile<2x4xi8>
    %v3 = constant <i8: 7> : tile<2x4xi8>
    %v4 = select %c, %v2, %v3 : tile<2x4xi1>, tile<2x4xi8>
    %v5 = constant <i8: 5> : tile<2x4xi8>
    %v6 = cmpi less_than %v4, %v5, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = select %c, %v2, %v3 : tile<2x4xi1>, tile<2x4xi8>
    %v8 = cmpi equal %v7, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v9 = select %c, %v2, %v3 : tile<2x4xi1>, tile<2x4xi8>
    %v10 = constant <i8: 8> : tile<2x4xi8>
    %v11 = cmpi greater_than %v9, %v10, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v6, %v8, %v11 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_select_one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = select %c, %v1, %x : tile<i1>, tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = cmpi less_than %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = constant <i8: 7> : tile<i8>
    %v6 = select %c, %x, %v5 : tile<i1>, tile<i8>
    %v7 = cmpi less_than %v6, %v3, signed : tile<i8> -> tile<i1>
    return %v4, %v7 : tile<i1>, tile<i1>
  }
}
// output:
cuda_tile.module @m {
  testing$func @compare_mirrored_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = cmpi greater_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v3 = cmpi less_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v4 = cmpi equal %x, %v1, signed : tile<i8> -> tile<i1>
    return %v2, %v3, %v4 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_mirrored_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = cmpi greater_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = cmpi less_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = cmpi equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v3, %v4 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_mirrored_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = cmpi less_than %y, %x, signed : tile<i8> -> tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @compare_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v2 = constant <i1: true> : tile<i1>
    %v1 = constant <i1: false> : tile<i1>
    return %v1, %v2, %v1 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v2 = constant <i1: true> : tile<2x4xi1>
    %v1 = constant <i1: false> : tile<2x4xi1>
    return %v1, %v2, %v1 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @compare_known_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v2 = constant <i1: false> : tile<i1>
    %v3 = assume bounded<0, 10>, %x : tile<i8>
    return %v2, %v2, %v2 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_known_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v2 = constant <i1: false> : tile<2x4xi1>
    %v3 = assume bounded<0, 10>, %x : tile<2x4xi8>
    return %v2, %v2, %v2 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_known_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v10 = constant <i1: true> : tile<i1>
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 8> : tile<i8>
    %v4 = andi %y, %v3 : tile<i8>
    %v5 = cmpi greater_than_or_equal %v2, %v4, signed : tile<i8> -> tile<i1>
    return %v5, %v10 : tile<i1>, tile<i1>
  }
  testing$func @compare_known_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v10 = constant <i1: true> : tile<2x4xi1>
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 8> : tile<2x4xi8>
    %v4 = andi %y, %v3 : tile<2x4xi8>
    %v5 = cmpi greater_than_or_equal %v2, %v4, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v5, %v10 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_known_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = assume bounded<0, 10>, %x : tile<i8>
    %v2 = constant <i8: 9> : tile<i8>
    %v3 = cmpi greater_than %v1, %v2, signed : tile<i8> -> tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @compare_bool_rank_0(%c: tile<i1>, %d: tile<i1>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i1: true> : tile<i1>
    %v5 = xori %c, %v1 : tile<i1>
    %v6 = xori %c, %v1 : tile<i1>
    return %c, %c, %v5, %v6 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_bool_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %v5 = xori %c, %v1 : tile<2x4xi1>
    %v6 = xori %c, %v1 : tile<2x4xi1>
    return %c, %c, %v5, %v6 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_bool_one_short(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = cmpi equal %c, %d, signed : tile<i1> -> tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @compare_strict_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %0 = constant <i8: 4> : tile<i8>
    %1 = constant <i8: 6> : tile<i8>
    %v2 = cmpi less_than %x, %1, signed : tile<i8> -> tile<i1>
    %v3 = cmpi greater_than %x, %0, signed : tile<i8> -> tile<i1>
    %v4 = cmpi less_than %x, %1, unsigned : tile<i8> -> tile<i1>
    %v5 = cmpi greater_than %x, %0, unsigned : tile<i8> -> tile<i1>
    return %v2, %v3, %v4, %v5 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_strict_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: 4> : tile<2x4xi8>
    %1 = constant <i8: 6> : tile<2x4xi8>
    %v2 = cmpi less_than %x, %1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = cmpi greater_than %x, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = cmpi less_than %x, %1, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = cmpi greater_than %x, %0, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v3, %v4, %v5 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_strict_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = cmpi less_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = constant <i8: 5> : tile<i8>
    %v3 = cmpi less_than %x, %v2, signed : tile<i8> -> tile<i1>
    return %v1, %v3 : tile<i1>, tile<i1>
  }
  testing$func @compare_edge_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %0 = constant <i8: 0> : tile<i8>
    %v2 = cmpi equal %x, %0, unsigned : tile<i8> -> tile<i1>
    %v4 = cmpi not_equal %x, %0, unsigned : tile<i8> -> tile<i1>
    %v5 = constant <i8: -1> : tile<i8>
    %v6 = cmpi not_equal %x, %v5, unsigned : tile<i8> -> tile<i1>
    %v8 = cmpi equal %x, %v5, unsigned : tile<i8> -> tile<i1>
    return %v2, %v4, %v6, %v8 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_edge_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: 0> : tile<2x4xi8>
    %v2 = cmpi equal %x, %0, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = cmpi not_equal %x, %0, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = constant <i8: -1> : tile<2x4xi8>
    %v6 = cmpi not_equal %x, %v5, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = cmpi equal %x, %v5, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v4, %v6, %v8 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_edge_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 127> : tile<i8>
    %v2 = cmpi not_equal %x, %v1, signed : tile<i8> -> tile<i1>
    %v3 = constant <i8: -128> : tile<i8>
    %v4 = cmpi not_equal %x, %v3, signed : tile<i8> -> tile<i1>
    %v6 = cmpi equal %x, %v3, signed : tile<i8> -> tile<i1>
    %v8 = cmpi equal %x, %v1, signed : tile<i8> -> tile<i1>
    return %v2, %v4, %v6, %v8 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_edge_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 127> : tile<2x4xi8>
    %v2 = cmpi not_equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = constant <i8: -128> : tile<2x4xi8>
    %v4 = cmpi not_equal %x, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi equal %x, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = cmpi equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v2, %v4, %v6, %v8 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_edge_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 2> : tile<i8>
    %v2 = cmpi less_than %x, %v1, unsigned : tile<i8> -> tile<i1>
    %v3 = constant <i8: 1> : tile<i8>
    %v4 = cmpi greater_than %x, %v3, unsigned : tile<i8> -> tile<i1>
    return %v2, %v4 : tile<i1>, tile<i1>
  }
  testing$func @compare_sum_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %0 = constant <i8: 2> : tile<i8>
    %v4 = cmpi equal %x, %0, signed : tile<i8> -> tile<i1>
    %v6 = cmpi not_equal %x, %0, signed : tile<i8> -> tile<i1>
    return %v4, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sum_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: 2> : tile<2x4xi8>
    %v4 = cmpi equal %x, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi not_equal %x, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v4, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sum_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %0 = constant <i8: 2> : tile<i8>
    %v4 = cmpi less_than %x, %0, signed : tile<i8> -> tile<i1>
    %v6 = cmpi less_than %x, %0, unsigned : tile<i8> -> tile<i1>
    return %v4, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sum_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: 2> : tile<2x4xi8>
    %v4 = cmpi less_than %x, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi less_than %x, %0, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v4, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sum_3_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %0 = constant <i8: -6> : tile<i8>
    %1 = constant <i8: 2> : tile<i8>
    %v1 = constant <i8: 15> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v6 = cmpi less_than %v2, %1, signed : tile<i8> -> tile<i1>
    %v7 = constant <i8: -128> : tile<i8>
    %v8 = ori %x, %v7 : tile<i8>
    %v12 = cmpi greater_than %v8, %0, unsigned : tile<i8> -> tile<i1>
    return %v6, %v12 : tile<i1>, tile<i1>
  }
  testing$func @compare_sum_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: -6> : tile<2x4xi8>
    %1 = constant <i8: 2> : tile<2x4xi8>
    %v1 = constant <i8: 15> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v6 = cmpi less_than %v2, %1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = constant <i8: -128> : tile<2x4xi8>
    %v8 = ori %x, %v7 : tile<2x4xi8>
    %v12 = cmpi greater_than %v8, %0, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v6, %v12 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sum_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = addi %x, %v1 : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = cmpi less_than %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = addi %x, %v1 overflow<no_signed_wrap> : tile<i8>
    %v6 = cmpi less_than %v5, %v3, unsigned : tile<i8> -> tile<i1>
    return %v4, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sums_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v3 = cmpi equal %x, %y, signed : tile<i8> -> tile<i1>
    %v6 = cmpi not_equal %x, %y, signed : tile<i8> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sums_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v3 = cmpi equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi not_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sums_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v3 = cmpi equal %x, %y, signed : tile<i8> -> tile<i1>
    %v6 = cmpi equal %x, %y, signed : tile<i8> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_sums_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v3 = cmpi equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_sums_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i1> {
    %v1 = addi %x, %z : tile<i8>
    %v2 = addi %y, %z : tile<i8>
    %v3 = cmpi less_than %v1, %v2, signed : tile<i8> -> tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @compare_difference_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v3 = cmpi equal %x, %y, signed : tile<i8> -> tile<i1>
    %v5 = cmpi not_equal %x, %y, signed : tile<i8> -> tile<i1>
    return %v3, %v5 : tile<i1>, tile<i1>
  }
  testing$func @compare_difference_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v3 = cmpi equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = cmpi not_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v5 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_difference_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = subi %x, %y : tile<i8>
    %v2 = constant <i8: 0> : tile<i8>
    %v3 = cmpi less_than %v1, %v2, signed : tile<i8> -> tile<i1>
    %v4 = subi %x, %y : tile<i8>
    %v5 = constant <i8: 1> : tile<i8>
    %v6 = cmpi equal %v4, %v5, signed : tile<i8> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_inverted_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %0 = constant <i8: -2> : tile<i8>
    %1 = constant <i8: -7> : tile<i8>
    %2 = constant <i8: 2> : tile<i8>
    %v4 = cmpi equal %x, %2, signed : tile<i8> -> tile<i1>
    %v6 = cmpi equal %x, %1, signed : tile<i8> -> tile<i1>
    %v8 = cmpi not_equal %x, %0, signed : tile<i8> -> tile<i1>
    return %v4, %v6, %v8 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_inverted_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: -2> : tile<2x4xi8>
    %1 = constant <i8: -7> : tile<2x4xi8>
    %2 = constant <i8: 2> : tile<2x4xi8>
    %v4 = cmpi equal %x, %2, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi equal %x, %1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = cmpi not_equal %x, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v4, %v6, %v8 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_inverted_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = constant <i8: 7> : tile<i8>
    %v4 = cmpi less_than %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = subi %y, %x : tile<i8>
    %v6 = cmpi equal %v5, %v3, signed : tile<i8> -> tile<i1>
    return %v4, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_single_bit_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %0 = constant <i8: 0> : tile<i8>
    %v1 = constant <i8: 8> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = cmpi not_equal %v2, %0, signed : tile<i8> -> tile<i1>
    %v4 = andi %x, %v1 : tile<i8>
    %v5 = cmpi equal %v4, %0, signed : tile<i8> -> tile<i1>
    return %v3, %v5 : tile<i1>, tile<i1>
  }
  testing$func @compare_single_bit_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: 0> : tile<2x4xi8>
    %v1 = constant <i8: 8> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = cmpi not_equal %v2, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = andi %x, %v1 : tile<2x4xi8>
    %v5 = cmpi equal %v4, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v5 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_single_bit_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = constant <i8: 12> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 8> : tile<i8>
    %v4 = cmpi equal %v2, %v3, signed : tile<i8> -> tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @compare_extended_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v3 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v6 = cmpi less_than %x, %y, unsigned : tile<i8> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_extended_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v3 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi less_than %x, %y, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v6 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_extended_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %0 = constant <i8: -56> : tile<i8>
    %1 = constant <i8: -5> : tile<i8>
    %v3 = cmpi less_than %x, %1, signed : tile<i8> -> tile<i1>
    %v6 = cmpi greater_than %x, %0, unsigned : tile<i8> -> tile<i1>
    %v8 = cmpi less_than %x, %1, unsigned : tile<i8> -> tile<i1>
    return %v3, %v6, %v8 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_extended_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: -56> : tile<2x4xi8>
    %1 = constant <i8: -5> : tile<2x4xi8>
    %v3 = cmpi less_than %x, %1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi greater_than %x, %0, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = cmpi less_than %x, %1, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v6, %v8 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_extended_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = exti %x unsigned : tile<i8> -> tile<i32>
    %v2 = exti %y signed : tile<i8> -> tile<i32>
    %v3 = cmpi less_than %v1, %v2, signed : tile<i32> -> tile<i1>
    %v4 = exti %x signed : tile<i8> -> tile<i32>
    %v5 = constant <i32: 200> : tile<i32>
    %v6 = cmpi less_than %v4, %v5, unsigned : tile<i32> -> tile<i1>
    return %v3, %v6 : tile<i1>, tile<i1>
  }
  testing$func @compare_select_rank_0(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v11 = constant <i1: false> : tile<i1>
    %0 = constant <i1: true> : tile<i1>
    %v1 = constant <i8: 0> : tile<i8>
    %v8 = xori %c, %0 : tile<i1>
    return %c, %v8, %v11 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @compare_select_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %x: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v11 = constant <i1: false> : tile<2x4xi1>
    %0 = constant <i1: true> : tile<2x4xi1>
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v8 = xori %c, %0 : tile<2x4xi1>
    return %c, %v8, %v11 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @compare_select_one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = select %c, %v1, %x : tile<i1>, tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = cmpi less_than %v2, %v3, signed : tile<i8> -> tile<i1>
    %v5 = constant <i8: 7> : tile<i8>
    %v6 = select %c, %x, %v5 : tile<i1>, tile<i8>
    %v7 = cmpi less_than %v6, %v3, signed : tile<i8> -> tile<i1>
    return %v4, %v7 : tile<i1>, tile<i1>
  }
}
// rewrites:
//    8 compare_mirrored
//    9 compare_mirrored
//   10 compare_mirrored
//   15 compare_mirrored
//   16 compare_mirrored
//   17 compare_mirrored
//   25 compare_same
//   26 compare_same
//   27 compare_same
//   31 compare_same
//   32 compare_same
//   33 compare_same
//   42 compare_known
//   45 compare_known
//   49 compare_known
//   54 compare_known
//   57 compare_known
//   61 compare_known
//   74 compare_known
//   87 compare_known
//   98 compare_bool
//  100 compare_bool
//  101 compare_bool
//  102 compare_bool
//  107 compare_bool
//  109 compare_bool
//  110 compare_bool
//  111 compare_bool
//  120 compare_strict
//  121 compare_strict
//  122 compare_strict
//  123 compare_strict
//  128 compare_strict
//  129 compare_strict
//  130 compare_strict
//  131 compare_strict
//  142 compare_edge
//  144 compare_edge
//  146 compare_edge
//  148 compare_edge
//  153 compare_edge
//  155 compare_edge
//  157 compare_edge
//  159 compare_edge
//  164 compare_edge
//  166 compare_edge
//  168 compare_edge
//  170 compare_edge
//  175 compare_edge
//  177 compare_edge
//  179 compare_edge
//  181 compare_edge
//  195 compare_sum
//  197 compare_sum
//  204 compare_sum
//  206 compare_sum
//  213 compare_sum
//  215 compare_sum
//  222 compare_sum
//  224 compare_sum
//  233 compare_sum
//  239 compare_sum
//  248 compare_sum
//  254 compare_sum
//  269 compare_sums
//  272 compare_sums
//  278 compare_sums
//  281 compare_sums
//  287 compare_sums
//  290 compare_sums
//  296 compare_sums
//  299 compare_sums
//  311 compare_difference
//  313 compare_difference
//  319 compare_difference
//  321 compare_difference
//  337 compare_inverted
//  339 compare_inverted
//  341 compare_inverted
//  348 compare_inverted
//  350 compare_inverted
//  352 compare_inverted
//  367 compare_single_bit
//  369 compare_single_bit
//  375 compare_single_bit
//  377 compare_single_bit
//  390 compare_extended
//  393 compare_extended
//  399 compare_extended
//  402 compare_extended
//  408 compare_extended
//  411 compare_extended
//  413 compare_extended
//  419 compare_extended
//  422 compare_extended
//  424 compare_extended
//  442 compare_select
//  444 compare_select
//  447 compare_known
//  456 compare_select
//  458 compare_select
//  461 compare_known
