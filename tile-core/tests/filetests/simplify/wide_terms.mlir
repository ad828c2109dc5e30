// test: opt --passes=simplify
// What holds for conjunctions and disjunctions holds bit by bit.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @duplicate_term_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = andi %x, %y : tile<i8>
    %v2 = andi %v1, %x : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @duplicate_term_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = andi %x, %y : tile<2x4xi8>
    %v2 = andi %v1, %x : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @duplicate_term_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = andi %x, %y : tile<i8>
    %v2 = andi %v1, %z : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @contradiction_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    %v2 = constant <i8: -1> : tile<i8>
    %v3 = xori %x, %v2 : tile<i8>
    %v4 = ori %v1, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @contradiction_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = ori %x, %y : tile<2x4xi8>
    %v2 = constant <i8: -1> : tile<2x4xi8>
    %v3 = xori %x, %v2 : tile<2x4xi8>
    %v4 = ori %v1, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @contradiction_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    %v2 = constant <i8: 1> : tile<i8>
    %v3 = xori %x, %v2 : tile<i8>
    %v4 = ori %v1, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @absorbed_term_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = andi %x, %y : tile<i8>
    %v2 = ori %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @absorbed_term_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = andi %x, %y : tile<2x4xi8>
    %v2 = ori %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @absorbed_term_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = andi %z, %y : tile<i8>
    %v2 = ori %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shared_term_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    %v2 = ori %x, %z : tile<i8>
    %v3 = ori %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @shared_term_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = ori %x, %y : tile<2x4xi8>
    %v2 = ori %x, %z : tile<2x4xi8>
    %v3 = ori %v1, %v2 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @shared_term_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    %v2 = andi %x, %z : tile<i8>
    %v3 = ori %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @complement_in_term_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = ori %v2, %y : tile<i8>
    %v4 = andi %x, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @complement_in_term_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    %v2 = xori %x, %v1 : tile<2x4xi8>
    %v3 = ori %v2, %y : tile<2x4xi8>
    %v4 = andi %x, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @complement_in_term_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = ori %v2, %y : tile<i8>
    %v4 = andi %x, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @de_morgan_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = xori %y, %v1 : tile<i8>
    %v4 = andi %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @de_morgan_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    %v2 = xori %x, %v1 : tile<2x4xi8>
    %v3 = xori %y, %v1 : tile<2x4xi8>
    %v4 = andi %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @de_morgan_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = constant <i8: 1> : tile<i8>
    %v4 = xori %y, %v3 : tile<i8>
    %v5 = andi %v2, %v4 : tile<i8>
    return %v5 : tile<i8>
  }
}
// output:
cuda_tile.module @m {
  testing$func @duplicate_term_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = andi %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @duplicate_term_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = andi %x, %y : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @duplicate_term_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = andi %x, %y : tile<i8>
    %v2 = andi %v1, %z : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @contradiction_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v2 = constant <i8: -1> : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @contradiction_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v2 = constant <i8: -1> : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @contradiction_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    %v2 = constant <i8: 1> : tile<i8>
    %v3 = xori %x, %v2 : tile<i8>
    %v4 = ori %v1, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @absorbed_term_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @absorbed_term_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @absorbed_term_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = andi %z, %y : tile<i8>
    %v2 = ori %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shared_term_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    %v3 = ori %v1, %z : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @shared_term_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = ori %x, %y : tile<2x4xi8>
    %v3 = ori %v1, %z : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @shared_term_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @complement_in_term_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v4 = andi %x, %y : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @complement_in_term_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v4 = andi %x, %y : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @complement_in_term_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = ori %v2, %y : tile<i8>
    %v4 = andi %x, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @de_morgan_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %0 = ori %x, %y : tile<i8>
    %v4 = xori %0, %v1 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @de_morgan_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    %0 = ori %x, %y : tile<2x4xi8>
    %v4 = xori %0, %v1 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @de_morgan_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = constant <i8: 1> : tile<i8>
    %v4 = xori %y, %v3 : tile<i8>
    %v5 = andi %v2, %v4 : tile<i8>
    return %v5 : tile<i8>
  }
}
// rewrites:
//    8 duplicate_term
//   13 duplicate_term
//   25 contradiction
//   32 contradiction
//   44 absorbed_term
//   49 absorbed_term
//   60 shared_term
//   66 shared_term
//   72 absorbed_term
//   79 complement_in_term
//   86 complement_in_term
//  100 de_morgan
//  107 de_morgan
