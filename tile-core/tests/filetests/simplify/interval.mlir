// test: opt --passes=simplify
// Conjunctions and disjunctions of comparisons.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @merged_comparisons_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = cmpi less_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v3 = andi %v1, %v2 : tile<i1>
    %v4 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v5 = cmpi greater_than %x, %y, signed : tile<i8> -> tile<i1>
    %v6 = andi %v4, %v5 : tile<i1>
    %v7 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v8 = cmpi greater_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v9 = ori %v7, %v8 : tile<i1>
    return %v3, %v6, %v9 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v2 = cmpi less_than_or_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = andi %v1, %v2 : tile<2x4xi1>
    %v4 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = cmpi greater_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = andi %v4, %v5 : tile<2x4xi1>
    %v7 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = cmpi greater_than_or_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v9 = ori %v7, %v8 : tile<2x4xi1>
    return %v3, %v6, %v9 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = cmpi equal %x, %y, signed : tile<i8> -> tile<i1>
    %v3 = ori %v1, %v2 : tile<i1>
    %v4 = cmpi less_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v5 = cmpi less_than_or_equal %y, %x, signed : tile<i8> -> tile<i1>
    %v6 = andi %v4, %v5 : tile<i1>
    %v7 = cmpi less_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v8 = cmpi not_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v9 = andi %v7, %v8 : tile<i1>
    return %v3, %v6, %v9 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v2 = cmpi equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = ori %v1, %v2 : tile<2x4xi1>
    %v4 = cmpi less_than_or_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = cmpi less_than_or_equal %y, %x, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = andi %v4, %v5 : tile<2x4xi1>
    %v7 = cmpi less_than_or_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = cmpi not_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v9 = andi %v7, %v8 : tile<2x4xi1>
    return %v3, %v6, %v9 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_3_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = cmpi greater_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = cmpi greater_than %x, %v3, signed : tile<i8> -> tile<i1>
    %v5 = andi %v2, %v4 : tile<i1>
    %v6 = cmpi greater_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v7 = cmpi greater_than %x, %v3, signed : tile<i8> -> tile<i1>
    %v8 = ori %v6, %v7 : tile<i1>
    %v9 = cmpi less_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v10 = cmpi greater_than %x, %v3, signed : tile<i8> -> tile<i1>
    %v11 = andi %v9, %v10 : tile<i1>
    %v12 = constant <i8: 6> : tile<i8>
    %v13 = cmpi less_than %x, %v12, signed : tile<i8> -> tile<i1>
    %v14 = cmpi greater_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v15 = ori %v13, %v14 : tile<i1>
    return %v5, %v8, %v11, %v15 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = cmpi greater_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = cmpi greater_than %x, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = andi %v2, %v4 : tile<2x4xi1>
    %v6 = cmpi greater_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = cmpi greater_than %x, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = ori %v6, %v7 : tile<2x4xi1>
    %v9 = cmpi less_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v10 = cmpi greater_than %x, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v11 = andi %v9, %v10 : tile<2x4xi1>
    %v12 = constant <i8: 6> : tile<2x4xi8>
    %v13 = cmpi less_than %x, %v12, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v14 = cmpi greater_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v15 = ori %v13, %v14 : tile<2x4xi1>
    return %v5, %v8, %v11, %v15 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_4_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = cmpi greater_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = cmpi less_than %x, %v3, signed : tile<i8> -> tile<i1>
    %v5 = andi %v2, %v4 : tile<i1>
    %v6 = cmpi less_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v7 = cmpi equal %x, %v1, signed : tile<i8> -> tile<i1>
    %v8 = ori %v6, %v7 : tile<i1>
    %v9 = cmpi not_equal %x, %v1, signed : tile<i8> -> tile<i1>
    %v10 = cmpi less_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v11 = andi %v9, %v10 : tile<i1>
    %v12 = cmpi less_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v13 = cmpi greater_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v14 = ori %v12, %v13 : tile<i1>
    return %v5, %v8, %v11, %v14 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_4_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = cmpi greater_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = cmpi less_than %x, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = andi %v2, %v4 : tile<2x4xi1>
    %v6 = cmpi less_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = cmpi equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = ori %v6, %v7 : tile<2x4xi1>
    %v9 = cmpi not_equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v10 = cmpi less_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v11 = andi %v9, %v10 : tile<2x4xi1>
    %v12 = cmpi less_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v13 = cmpi greater_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v14 = ori %v12, %v13 : tile<2x4xi1>
    return %v5, %v8, %v11, %v14 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_5_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = cmpi less_than %y, %z, signed : tile<i8> -> tile<i1>
    %v3 = andi %v1, %v2 : tile<i1>
    %v4 = cmpi less_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v5 = andi %v3, %v4 : tile<i1>
    %v6 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v7 = cmpi less_than %y, %z, signed : tile<i8> -> tile<i1>
    %v8 = andi %v6, %v7 : tile<i1>
    %v9 = cmpi greater_than %x, %y, signed : tile<i8> -> tile<i1>
    %v10 = andi %v8, %v9 : tile<i1>
    return %v5, %v10 : tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_5_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v2 = cmpi less_than %y, %z, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = andi %v1, %v2 : tile<2x4xi1>
    %v4 = cmpi less_than_or_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v5 = andi %v3, %v4 : tile<2x4xi1>
    %v6 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v7 = cmpi less_than %y, %z, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = andi %v6, %v7 : tile<2x4xi1>
    %v9 = cmpi greater_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v10 = andi %v8, %v9 : tile<2x4xi1>
    return %v5, %v10 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = cmpi less_than_or_equal %x, %y, unsigned : tile<i8> -> tile<i1>
    %v3 = andi %v1, %v2 : tile<i1>
    %v4 = constant <i8: 3> : tile<i8>
    %v5 = cmpi greater_than %x, %v4, signed : tile<i8> -> tile<i1>
    %v6 = constant <i8: 9> : tile<i8>
    %v7 = cmpi less_than %x, %v6, signed : tile<i8> -> tile<i1>
    %v8 = andi %v5, %v7 : tile<i1>
    %v9 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v10 = cmpi less_than %x, %z, signed : tile<i8> -> tile<i1>
    %v11 = andi %v9, %v10 : tile<i1>
    %v12 = cmpi less_than %x, %v4, signed : tile<i8> -> tile<i1>
    %v13 = constant <i8: 4> : tile<i8>
    %v14 = cmpi greater_than %x, %v13, signed : tile<i8> -> tile<i1>
    %v15 = ori %v12, %v14 : tile<i1>
    %v16 = cmpi greater_than %x, %v4, unsigned : tile<i8> -> tile<i1>
    %v17 = constant <i8: 5> : tile<i8>
    %v18 = cmpi greater_than %x, %v17, signed : tile<i8> -> tile<i1>
    %v19 = andi %v16, %v18 : tile<i1>
    return %v3, %v8, %v11, %v15, %v19 : tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
}
// output:
cuda_tile.module @m {
  testing$func @merged_comparisons_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v9 = constant <i1: true> : tile<i1>
    %v6 = constant <i1: false> : tile<i1>
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    return %v1, %v6, %v9 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v9 = constant <i1: true> : tile<2x4xi1>
    %v6 = constant <i1: false> : tile<2x4xi1>
    %v1 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v1, %v6, %v9 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>) {
    %v3 = cmpi less_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    %v6 = cmpi equal %x, %y, signed : tile<i8> -> tile<i1>
    %v9 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    return %v3, %v6, %v9 : tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v3 = cmpi less_than_or_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v9 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3, %v6, %v9 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_3_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v15 = constant <i1: true> : tile<i1>
    %v11 = constant <i1: false> : tile<i1>
    %v1 = constant <i8: 3> : tile<i8>
    %v3 = constant <i8: 5> : tile<i8>
    %v4 = cmpi greater_than %x, %v3, signed : tile<i8> -> tile<i1>
    %v6 = cmpi greater_than %x, %v1, signed : tile<i8> -> tile<i1>
    return %v4, %v6, %v11, %v15 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %v15 = constant <i1: true> : tile<2x4xi1>
    %v11 = constant <i1: false> : tile<2x4xi1>
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v3 = constant <i8: 5> : tile<2x4xi8>
    %v4 = cmpi greater_than %x, %v3, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v6 = cmpi greater_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v4, %v6, %v11, %v15 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_4_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %0 = constant <i8: 4> : tile<i8>
    %v1 = constant <i8: 3> : tile<i8>
    %v5 = cmpi equal %x, %0, signed : tile<i8> -> tile<i1>
    %v8 = cmpi less_than %x, %0, signed : tile<i8> -> tile<i1>
    %v10 = cmpi less_than %x, %v1, signed : tile<i8> -> tile<i1>
    %v14 = cmpi not_equal %x, %v1, signed : tile<i8> -> tile<i1>
    return %v5, %v8, %v10, %v14 : tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_4_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>) {
    %0 = constant <i8: 4> : tile<2x4xi8>
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v5 = cmpi equal %x, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v8 = cmpi less_than %x, %0, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v10 = cmpi less_than %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v14 = cmpi not_equal %x, %v1, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v5, %v8, %v10, %v14 : tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_5_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v10 = constant <i1: false> : tile<i1>
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = cmpi less_than %y, %z, signed : tile<i8> -> tile<i1>
    %v3 = andi %v1, %v2 : tile<i1>
    return %v3, %v10 : tile<i1>, tile<i1>
  }
  testing$func @merged_comparisons_5_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> (tile<2x4xi1>, tile<2x4xi1>) {
    %v10 = constant <i1: false> : tile<2x4xi1>
    %v1 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v2 = cmpi less_than %y, %z, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v3 = andi %v1, %v2 : tile<2x4xi1>
    return %v3, %v10 : tile<2x4xi1>, tile<2x4xi1>
  }
  testing$func @merged_comparisons_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> (tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = cmpi less_than_or_equal %x, %y, unsigned : tile<i8> -> tile<i1>
    %v3 = andi %v1, %v2 : tile<i1>
    %v4 = constant <i8: 3> : tile<i8>
    %v5 = cmpi greater_than %x, %v4, signed : tile<i8> -> tile<i1>
    %v6 = constant <i8: 9> : tile<i8>
    %v7 = cmpi less_than %x, %v6, signed : tile<i8> -> tile<i1>
    %v8 = andi %v5, %v7 : tile<i1>
    %v9 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v10 = cmpi less_than %x, %z, signed : tile<i8> -> tile<i1>
    %v11 = andi %v9, %v10 : tile<i1>
    %v12 = cmpi less_than %x, %v4, signed : tile<i8> -> tile<i1>
    %v13 = constant <i8: 4> : tile<i8>
    %v14 = cmpi greater_than %x, %v13, signed : tile<i8> -> tile<i1>
    %v15 = ori %v12, %v14 : tile<i1>
    %v16 = cmpi greater_than %x, %v4, unsigned : tile<i8> -> tile<i1>
    %v17 = constant <i8: 5> : tile<i8>
    %v18 = cmpi greater_than %x, %v17, signed : tile<i8> -> tile<i1>
    %v19 = andi %v16, %v18 : tile<i1>
    return %v3, %v8, %v11, %v15, %v19 : tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>
  }
}
// rewrites:
//    9 merged_comparisons
//   12 merged_comparisons
//   15 merged_comparisons
//   21 merged_comparisons
//   24 merged_comparisons
//   27 merged_comparisons
//   33 merged_comparisons
//   36 merged_comparisons
//   39 merged_comparisons
//   45 merged_comparisons
//   48 merged_comparisons
//   51 merged_comparisons
//   59 merged_comparisons
//   62 merged_comparisons
//   65 merged_comparisons
//   69 merged_comparisons
//   77 merged_comparisons
//   80 merged_comparisons
//   83 merged_comparisons
//   87 merged_comparisons
//   95 merged_comparisons
//   98 merged_comparisons
//   98 compare_strict
//  101 merged_comparisons
//  104 merged_comparisons
//  112 merged_comparisons
//  115 merged_comparisons
//  115 compare_strict
//  118 merged_comparisons
//  121 merged_comparisons
//  129 merged_comparisons
//  134 merged_comparisons
//  142 merged_comparisons
//  147 merged_comparisons
