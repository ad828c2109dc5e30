// test: opt --passes=simplify
// Conjunctions and disjunctions, negation.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @duplicate_term_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v2 = andi %v1, %e : tile<i1>
    %v3 = andi %v2, %d : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @duplicate_term_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %d : tile<2x4xi1>
    %v2 = andi %v1, %e : tile<2x4xi1>
    %v3 = andi %v2, %d : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @duplicate_term_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = ori %d, %e : tile<i1>
    %v2 = ori %c, %v1 : tile<i1>
    %v3 = ori %d, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @duplicate_term_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = ori %d, %e : tile<2x4xi1>
    %v2 = ori %c, %v1 : tile<2x4xi1>
    %v3 = ori %d, %v2 : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @duplicate_term_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v2 = andi %v1, %e : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @contradiction_rank_0(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %c, %v2 : tile<i1>
    %v4 = andi %v1, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @contradiction_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %d : tile<2x4xi1>
    %v2 = constant <i1: true> : tile<2x4xi1>
    %v3 = xori %c, %v2 : tile<2x4xi1>
    %v4 = andi %v1, %v3 : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @contradiction_2_rank_0(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %c, %v1 : tile<i1>
    %v3 = ori %c, %d : tile<i1>
    %v4 = ori %v2, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @contradiction_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %v2 = xori %c, %v1 : tile<2x4xi1>
    %v3 = ori %c, %d : tile<2x4xi1>
    %v4 = ori %v2, %v3 : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @contradiction_one_short(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = ori %c, %d : tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %c, %v2 : tile<i1>
    %v4 = andi %v1, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @absorbed_term_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = ori %c, %d : tile<i1>
    %v2 = andi %c, %v1 : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @absorbed_term_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = ori %c, %d : tile<2x4xi1>
    %v2 = andi %c, %v1 : tile<2x4xi1>
    return %v2 : tile<2x4xi1>
  }
  testing$func @absorbed_term_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v2 = ori %v1, %d : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @absorbed_term_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %d : tile<2x4xi1>
    %v2 = ori %v1, %d : tile<2x4xi1>
    return %v2 : tile<2x4xi1>
  }
  testing$func @absorbed_term_3_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %e : tile<i1>
    %v2 = ori %d, %c : tile<i1>
    %v3 = andi %v1, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @absorbed_term_3_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %e : tile<2x4xi1>
    %v2 = ori %d, %c : tile<2x4xi1>
    %v3 = andi %v1, %v2 : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @absorbed_term_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = ori %d, %e : tile<i1>
    %v2 = andi %c, %v1 : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @shared_term_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v2 = andi %c, %e : tile<i1>
    %v3 = andi %v1, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @shared_term_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %d : tile<2x4xi1>
    %v2 = andi %c, %e : tile<2x4xi1>
    %v3 = andi %v1, %v2 : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @shared_term_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = ori %c, %d : tile<i1>
    %v2 = ori %e, %d : tile<i1>
    %v3 = ori %v1, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @shared_term_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = ori %c, %d : tile<2x4xi1>
    %v2 = ori %e, %d : tile<2x4xi1>
    %v3 = ori %v1, %v2 : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @shared_term_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v2 = ori %c, %e : tile<i1>
    %v3 = andi %v1, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @complement_in_term_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %c, %v1 : tile<i1>
    %v3 = ori %v2, %d : tile<i1>
    %v4 = andi %c, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @complement_in_term_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %v2 = xori %c, %v1 : tile<2x4xi1>
    %v3 = ori %v2, %d : tile<2x4xi1>
    %v4 = andi %c, %v3 : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @complement_in_term_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %c, %v1 : tile<i1>
    %v3 = andi %d, %v2 : tile<i1>
    %v4 = ori %v3, %c : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @complement_in_term_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %v2 = xori %c, %v1 : tile<2x4xi1>
    %v3 = andi %d, %v2 : tile<2x4xi1>
    %v4 = ori %v3, %c : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @complement_in_term_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %e, %v1 : tile<i1>
    %v3 = ori %v2, %d : tile<i1>
    %v4 = andi %c, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @de_morgan_rank_0(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %c, %v1 : tile<i1>
    %v3 = xori %d, %v1 : tile<i1>
    %v4 = andi %v2, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @de_morgan_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %v2 = xori %c, %v1 : tile<2x4xi1>
    %v3 = xori %d, %v1 : tile<2x4xi1>
    %v4 = andi %v2, %v3 : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @de_morgan_2_rank_0(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %c, %v1 : tile<i1>
    %v3 = xori %d, %v1 : tile<i1>
    %v4 = ori %v2, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @de_morgan_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %v2 = xori %c, %v1 : tile<2x4xi1>
    %v3 = xori %d, %v1 : tile<2x4xi1>
    %v4 = ori %v2, %v3 : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @de_morgan_one_short(%c: tile<i1>, %d: tile<i1>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %c, %v1 : tile<i1>
    %v3 = xori %d, %v1 : tile<i1>
    %v4 = andi %v2, %v3 : tile<i1>
    return %v4, %v2 : tile<i1>, tile<i1>
  }
  testing$func @not_comparison_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %v1, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @not_comparison_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi1> {
    %v1 = cmpi less_than %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v2 = constant <i1: true> : tile<2x4xi1>
    %v3 = xori %v1, %v2 : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @not_comparison_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v1 = cmpi equal %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %v1, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @not_comparison_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi1> {
    %v1 = cmpi equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    %v2 = constant <i1: true> : tile<2x4xi1>
    %v3 = xori %v1, %v2 : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @not_comparison_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %v1, %v2 : tile<i1>
    return %v3, %v1 : tile<i1>, tile<i1>
  }
  testing$func @not_float_comparison_rank_0(%x: tile<f16>, %y: tile<f16>) -> tile<i1> {
    %v1 = cmpf less_than ordered %x, %y : tile<f16> -> tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %v1, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @not_float_comparison_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> tile<2x4xi1> {
    %v1 = cmpf less_than ordered %x, %y : tile<2x4xf16> -> tile<2x4xi1>
    %v2 = constant <i1: true> : tile<2x4xi1>
    %v3 = xori %v1, %v2 : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @not_float_comparison_2_rank_0(%x: tile<f16>, %y: tile<f16>) -> tile<i1> {
    %v1 = cmpf not_equal unordered %x, %y : tile<f16> -> tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %v1, %v2 : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @not_float_comparison_2_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> tile<2x4xi1> {
    %v1 = cmpf not_equal unordered %x, %y : tile<2x4xf16> -> tile<2x4xi1>
    %v2 = constant <i1: true> : tile<2x4xi1>
    %v3 = xori %v1, %v2 : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @not_float_comparison_one_short(%x: tile<f16>, %y: tile<f16>) -> (tile<i1>, tile<i1>) {
    %v1 = cmpf less_than ordered %x, %y : tile<f16> -> tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %v1, %v2 : tile<i1>
    return %v3, %v1 : tile<i1>, tile<i1>
  }
}
// output:
cuda_tile.module @m {
  testing$func @duplicate_term_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v2 = andi %v1, %e : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @duplicate_term_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %d : tile<2x4xi1>
    %v2 = andi %v1, %e : tile<2x4xi1>
    return %v2 : tile<2x4xi1>
  }
  testing$func @duplicate_term_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = ori %d, %e : tile<i1>
    %v2 = ori %c, %v1 : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @duplicate_term_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = ori %d, %e : tile<2x4xi1>
    %v2 = ori %c, %v1 : tile<2x4xi1>
    return %v2 : tile<2x4xi1>
  }
  testing$func @duplicate_term_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v2 = andi %v1, %e : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @contradiction_rank_0(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v4 = constant <i1: false> : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @contradiction_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> tile<2x4xi1> {
    %v4 = constant <i1: false> : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @contradiction_2_rank_0(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @contradiction_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    return %v1 : tile<2x4xi1>
  }
  testing$func @contradiction_one_short(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %c, %v2 : tile<i1>
    %v4 = andi %d, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @absorbed_term_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    return %c : tile<i1>
  }
  testing$func @absorbed_term_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    return %c : tile<2x4xi1>
  }
  testing$func @absorbed_term_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    return %d : tile<i1>
  }
  testing$func @absorbed_term_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    return %d : tile<2x4xi1>
  }
  testing$func @absorbed_term_3_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %e : tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @absorbed_term_3_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %e : tile<2x4xi1>
    return %v1 : tile<2x4xi1>
  }
  testing$func @absorbed_term_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = ori %d, %e : tile<i1>
    %v2 = andi %c, %v1 : tile<i1>
    return %v2 : tile<i1>
  }
  testing$func @shared_term_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    %v3 = andi %v1, %e : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @shared_term_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = andi %c, %d : tile<2x4xi1>
    %v3 = andi %v1, %e : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @shared_term_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = ori %c, %d : tile<i1>
    %v3 = ori %v1, %e : tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @shared_term_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = ori %c, %d : tile<2x4xi1>
    %v3 = ori %v1, %e : tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @shared_term_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = andi %c, %d : tile<i1>
    return %v1 : tile<i1>
  }
  testing$func @complement_in_term_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v4 = andi %c, %d : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @complement_in_term_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v4 = andi %c, %d : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @complement_in_term_2_rank_0(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v4 = ori %d, %c : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @complement_in_term_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>, %e: tile<2x4xi1>) -> tile<2x4xi1> {
    %v4 = ori %d, %c : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @complement_in_term_one_short(%c: tile<i1>, %d: tile<i1>, %e: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %e, %v1 : tile<i1>
    %v3 = ori %v2, %d : tile<i1>
    %v4 = andi %c, %v3 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @de_morgan_rank_0(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %0 = ori %c, %d : tile<i1>
    %v4 = xori %0, %v1 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @de_morgan_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %0 = ori %c, %d : tile<2x4xi1>
    %v4 = xori %0, %v1 : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @de_morgan_2_rank_0(%c: tile<i1>, %d: tile<i1>) -> tile<i1> {
    %v1 = constant <i1: true> : tile<i1>
    %0 = andi %c, %d : tile<i1>
    %v4 = xori %0, %v1 : tile<i1>
    return %v4 : tile<i1>
  }
  testing$func @de_morgan_2_rank_2(%c: tile<2x4xi1>, %d: tile<2x4xi1>) -> tile<2x4xi1> {
    %v1 = constant <i1: true> : tile<2x4xi1>
    %0 = andi %c, %d : tile<2x4xi1>
    %v4 = xori %0, %v1 : tile<2x4xi1>
    return %v4 : tile<2x4xi1>
  }
  testing$func @de_morgan_one_short(%c: tile<i1>, %d: tile<i1>) -> (tile<i1>, tile<i1>) {
    %v1 = constant <i1: true> : tile<i1>
    %v2 = xori %c, %v1 : tile<i1>
    %v3 = xori %d, %v1 : tile<i1>
    %v4 = andi %v2, %v3 : tile<i1>
    return %v4, %v2 : tile<i1>, tile<i1>
  }
  testing$func @not_comparison_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v3 = cmpi greater_than_or_equal %x, %y, signed : tile<i8> -> tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @not_comparison_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi1> {
    %v3 = cmpi greater_than_or_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @not_comparison_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i1> {
    %v3 = cmpi not_equal %x, %y, signed : tile<i8> -> tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @not_comparison_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi1> {
    %v3 = cmpi not_equal %x, %y, signed : tile<2x4xi8> -> tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @not_comparison_one_short(%x: tile<i8>, %y: tile<i8>) -> (tile<i1>, tile<i1>) {
    %v1 = cmpi less_than %x, %y, signed : tile<i8> -> tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %v1, %v2 : tile<i1>
    return %v3, %v1 : tile<i1>, tile<i1>
  }
  testing$func @not_float_comparison_rank_0(%x: tile<f16>, %y: tile<f16>) -> tile<i1> {
    %v3 = cmpf greater_than_or_equal unordered %x, %y : tile<f16> -> tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @not_float_comparison_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> tile<2x4xi1> {
    %v3 = cmpf greater_than_or_equal unordered %x, %y : tile<2x4xf16> -> tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @not_float_comparison_2_rank_0(%x: tile<f16>, %y: tile<f16>) -> tile<i1> {
    %v3 = cmpf equal ordered %x, %y : tile<f16> -> tile<i1>
    return %v3 : tile<i1>
  }
  testing$func @not_float_comparison_2_rank_2(%x: tile<2x4xf16>, %y: tile<2x4xf16>) -> tile<2x4xi1> {
    %v3 = cmpf equal ordered %x, %y : tile<2x4xf16> -> tile<2x4xi1>
    return %v3 : tile<2x4xi1>
  }
  testing$func @not_float_comparison_one_short(%x: tile<f16>, %y: tile<f16>) -> (tile<i1>, tile<i1>) {
    %v1 = cmpf less_than ordered %x, %y : tile<f16> -> tile<i1>
    %v2 = constant <i1: true> : tile<i1>
    %v3 = xori %v1, %v2 : tile<i1>
    return %v3, %v1 : tile<i1>, tile<i1>
  }
}
// rewrites:
//    9 duplicate_term
//   15 duplicate_term
//   21 duplicate_term
//   27 duplicate_term
//   39 contradiction
//   46 contradiction
//   53 contradiction
//   60 contradiction
//   67 complement_in_term
//   72 absorbed_term
//   77 absorbed_term
//   82 absorbed_term
//   87 absorbed_term
//   93 absorbed_term
//   99 absorbed_term
//  110 shared_term
//  116 shared_term
//  122 shared_term
//  128 shared_term
//  134 absorbed_term
//  141 complement_in_term
//  148 complement_in_term
//  155 complement_in_term
//  162 complement_in_term
//  176 de_morgan
//  183 de_morgan
//  190 de_morgan
//  197 de_morgan
//  210 not_comparison
//  216 not_comparison
//  222 not_comparison
//  228 not_comparison
//  240 not_float_comparison
//  246 not_float_comparison
//  252 not_float_comparison
//  258 not_float_comparison
