// test: opt --passes=simplify
// Chains of `select`, and those that are something else.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @select_to_and_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: false> : tile<i1>
    %v2 = select %c, %d, %v1 : tile<i1>, tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @select_to_and_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: false> : tile<2x4xi1>
    %v2 = select %c, %d, %v1 : tile<2x4xi1>, tile<2x4xi1>
    return %v2 : tile<2x4xi1>
  }
  testing$func @select_to_and_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = select %c, %d, %c : tile<i1>, tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @select_to_and_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = select %c, %d, %c : tile<2x4xi1>, tile<2x4xi1>
    return %v1 : tile<2x4xi1>
  }
  testing$func @select_to_and_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: false> : tile<i1>
    %v2 = select %c, %v1, %d : tile<i1>, tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @select_to_or_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = select %c, %v1, %d : tile<i1>, tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @select_to_or_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %v2 = select %c, %v1, %d : tile<2x4xi1>, tile<2x4xi1>
    return %v2 : tile<2x4xi1>
  }
  testing$func @select_to_or_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = select %c, %c, %d : tile<i1>, tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @select_to_or_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = select %c, %c, %d : tile<2x4xi1>, tile<2x4xi1>
    return %v1 : tile<2x4xi1>
  }
  testing$func @select_to_or_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = select %c, %d, %v1 : tile<i1>, tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @select_chain_or_rank_0(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = select %d, %x, %y : tile<i1>, tile<i8>
    %v2 = select %c, %x, %v1 : tile<i1>, tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @select_chain_or_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = select %d, %x, %y : tile<2x4xi1>, tile<2x4xi8>
    %v2 = select %c, %x, %v1 : tile<2x4xi1>, tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @select_chain_or_one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = select %d, %x, %y : tile<i1>, tile<i8>
    %v2 = select %c, %x, %v1 : tile<i1>, tile<i8>
    return %v2, %v1 : tile<i8>, tile<i8>
  }
  testing$func @select_chain_and_rank_0(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = select %d, %x, %y : tile<i1>, tile<i8>
    %v2 = select %c, %v1, %y : tile<i1>, tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @select_chain_and_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = select %d, %x, %y : tile<2x4xi1>, tile<2x4xi8>
    %v2 = select %c, %v1, %y : tile<2x4xi1>, tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @select_chain_and_one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = select %d, %x, %y : tile<i1>, tile<i8>
    %v2 = select %c, %v1, %x : tile<i1>, tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @select_to_extreme_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>, tile<i8>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = select %v1, %x, %y : tile<i1>, tile<i8>
    %v3 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v4 = select %v3, %y, %x : tile<i1>, tile<i8>
    %v5 = cmpi greater_than_or_equal %x, %y, unsigned : tile<i8> -> tile<i1>
    %v6 = select %v5, %x, %y : tile<i1>, tile<i8>
    %v7 = cmpi greater_than %x, %y, unsigned : tile<i8> -> tile<i1>
    %v8 = select %v7, %y, %x : tile<i1>, tile<i8>
    return %v2, %v4, %v6, %v8 : tile<i8>, tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @select_to_extreme_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v2 = select %v1, %x, %y : tile<2x4xi1>, tile<2x4xi8>
    %v3 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v4 = select %v3, %y, %x : tile<2x4xi1>, tile<2x4xi8>
    %v5 = cmpi greater_than_or_equal %x, %y, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = select %v5, %x, %y : tile<2x4xi1>, tile<2x4xi8>
    %v7 = cmpi greater_than %x, %y, unsigned : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = select %v7, %y, %x : tile<2x4xi1>, tile<2x4xi8>
    return %v2, %v4, %v6, %v8 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @select_to_extreme_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v1 = constant <i8: 4> : tile<i8>
    %v2 = cmpi less_than_or_equal %x, %v1, signed : tile<i8> -> tile<i1>
    %v3 = select %v2, %x, %v1 : tile<i1>, tile<i8>
    %v4 = constant <i8: 5> : tile<i8>
    %v5 = cmpi less_than %x, %v4, signed : tile<i8> -> tile<i1>
    %v6 = select %v5, %x, %v4 : tile<i1>, tile<i8>
    %v7 = cmpi greater_than_or_equal %x, %v1, signed : tile<i8> -> tile<i1>
    %v8 = select %v7, %x, %v1 : tile<i1>, tile<i8>
    return %v3, %v6, %v8 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @select_to_extreme_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 4> : tile<2x4xi8>
    %v2 = cmpi less_than_or_equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = select %v2, %x, %v1 : tile<2x4xi1>, tile<2x4xi8>
    %v4 = constant <i8: 5> : tile<2x4xi8>
    %v5 = cmpi less_than %x, %v4, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = select %v5, %x, %v4 : tile<2x4xi1>, tile<2x4xi8>
    %v7 = cmpi greater_than_or_equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = select %v7, %x, %v1 : tile<2x4xi1>, tile<2x4xi8>
    return %v3, %v6, %v8 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @select_to_extreme_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = select %v1, %x, %z : tile<i1>, tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = cmpi less_than %x, %v3, signed : tile<i8> -> tile<i1>
    %v5 = constant <i8: 6> : tile<i8>
    %v6 = select %v4, %x, %v5 : tile<i1>, tile<i8>
    return %v2, %v6 : tile<i8>, tile<i8>
  }
  testing$func @select_extended_rank_0(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i32> {
    %v1 = exti %x signed : tile<i8> -> tile<i32>
    %v2 = exti %y signed : tile<i8> -> tile<i32>
    %v3 = select %c, %v1, %v2 : tile<i1>, tile<i32>
    return %v3 : tile<i32>
  }
  testing$func @select_extended_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi32> {
    %v1 = exti %x signed : tile<2x4xi8> -> tile<2x4xi32>
    %v2 = exti %y signed : tile<2x4xi8> -> tile<2x4xi32>
    %v3 = select %c, %v1, %v2 : tile<2x4xi1>, tile<2x4xi32>
    return %v3 : tile<2x4xi32>
  }
  testing$func @select_extended_one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i32> {
    %v1 = exti %x signed : tile<i8> -> tile<i32>
    %v2 = exti %y unsigned : tile<i8> -> tile<i32>
    %v3 = select %c, %v1, %v2 : tile<i1>, tile<i32>
    return %v3 : tile<i32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @select_to_and_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v2 = andi %c, %d : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @select_to_and_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v2 = andi %c, %d : tile<2x4xi1>
    return %v2 : tile<2x4xi1>
  }
  testing$func @select_to_and_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @select_to_and_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %d : tile<2x4xi1>
    return %v1 : tile<2x4xi1>
  }
  testing$func @select_to_and_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: false> : tile<i1>
    %v2 = select %c, %v1, %d : tile<i1>, tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @select_to_or_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v2 = ori %c, %d : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @select_to_or_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v2 = ori %c, %d : tile<2x4xi1>
    return %v2 : tile<2x4xi1>
  }
  testing$func @select_to_or_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = ori %c, %d : tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @select_to_or_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = ori %c, %d : tile<2x4xi1>
    return %v1 : tile<2x4xi1>
  }
  testing$func @select_to_or_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = select %c, %d, %v1 : tile<i1>, tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @select_chain_or_rank_0(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = ori %c, %d : tile<i1>
    %v2 = select %0, %x, %y : tile<i1>, tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @select_chain_or_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = ori %c, %d : tile<2x4xi1>
    %v2 = select %0, %x, %y : tile<2x4xi1>, tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @select_chain_or_one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = select %d, %x, %y : tile<i1>, tile<i8>
    %v2 = select %c, %x, %v1 : tile<i1>, tile<i8>
    return %v2, %v1 : tile<i8>, tile<i8>
  }
  testing$func @select_chain_and_rank_0(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = andi %c, %d : tile<i1>
    %v2 = select %0, %x, %y : tile<i1>, tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @select_chain_and_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = andi %c, %d : tile<2x4xi1>
    %v2 = select %0, %x, %y : tile<2x4xi1>, tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @select_chain_and_one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = select %d, %x, %y : tile<i1>, tile<i8>
    %v2 = select %c, %v1, %x : tile<i1>, tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @select_to_extreme_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>, tile<i8>) {
    %v2 = mini %x, %y signed : tile<i8>
    %v4 = maxi %x, %y signed : tile<i8>
    %v6 = maxi %x, %y unsigned : tile<i8>
    %v8 = mini %x, %y unsigned : tile<i8>
    return %v2, %v4, %v6, %v8 : tile<i8>, tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @select_to_extreme_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v2 = mini %x, %y signed : tile<2x4xi8>
    %v4 = maxi %x, %y signed : tile<2x4xi8>
    %v6 = maxi %x, %y unsigned : tile<2x4xi8>
    %v8 = mini %x, %y unsigned : tile<2x4xi8>
    return %v2, %v4, %v6, %v8 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @select_to_extreme_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>, tile<i8>) {
    %v1 = constant <i8: 4> : tile<i8>
    %v3 = mini %x, %v1 signed : tile<i8>
    %v4 = constant <i8: 5> : tile<i8>
    %v6 = mini %x, %v4 signed : tile<i8>
    %v8 = maxi %x, %v1 signed : tile<i8>
    return %v3, %v6, %v8 : tile<i8>, tile<i8>, tile<i8>
  }
  testing$func @select_to_extreme_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 4> : tile<2x4xi8>
    %v3 = mini %x, %v1 signed : tile<2x4xi8>
    %v4 = constant <i8: 5> : tile<2x4xi8>
    %v6 = mini %x, %v4 signed : tile<2x4xi8>
    %v8 = maxi %x, %v1 signed : tile<2x4xi8>
    return %v3, %v6, %v8 : tile<2x4xi8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @select_to_extreme_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = select %v1, %x, %z : tile<i1>, tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = cmpi less_than %x, %v3, signed : tile<i8> -> tile<i1>
    %v5 = constant <i8: 6> : tile<i8>
    %v6 = select %v4, %x, %v5 : tile<i1>, tile<i8>
    return %v2, %v6 : tile<i8>, tile<i8>
  }
  testing$func @select_extended_rank_0(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i32> {
    %0 = select %c, %x, %y : tile<i1>, tile<i8>
    %v3 = exti %0 signed : tile<i8> -> tile<i32>
    return %v3 : tile<i32>
  }
  testing$func @select_extended_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi32> {
    %0 = select %c, %x, %y : tile<2x4xi1>, tile<2x4xi8>
    %v3 = exti %0 signed : tile<2x4xi8> -> tile<2x4xi32>
    return %v3 : tile<2x4xi32>
  }
  testing$func @select_extended_one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i8>, %y: tile<i8>) -> tile<i32> {
    %v1 = exti %x signed : tile<i8> -> tile<i32>
    %v2 = exti %y unsigned : tile<i8> -> tile<i32>
    %v3 = select %c, %v1, %v2 : tile<i1>, tile<i32>
    return %v3 : tile<i32>
  }
}
// rewrites:
//    8 select_to_and
//   13 select_to_and
//   17 select_to_and
//   21 select_to_and
//   31 select_to_or
//   36 select_to_or
//   40 select_to_or
//   44 select_to_or
//   54 select_chain_or
//   59 select_chain_or
//   69 select_chain_and
//   74 select_chain_and
//   84 select_to_extreme
//   86 select_to_extreme
//   88 select_to_extreme
//   90 select_to_extreme
//   95 select_to_extreme
//   97 select_to_extreme
//   99 select_to_extreme
//  101 select_to_extreme
//  106 compare_strict
//  107 select_to_extreme
//  110 select_to_extreme
//  111 compare_strict
//  112 select_to_extreme
//  117 compare_strict
//  118 select_to_extreme
//  121 select_to_extreme
//  122 compare_strict
//  123 select_to_extreme
//  138 select_extended
//  144 select_extended
