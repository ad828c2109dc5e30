// test: opt --passes=simplify
// What is known about a value: bits and ranges.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @known_value_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<16>, %x : tile<i8>
    %v2 = constant <i8: 15> : tile<i8>
    %v3 = andi %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @known_value_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    %v2 = constant <i8: 15> : tile<2x4xi8>
    %v3 = andi %v1, %v2 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @known_value_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @known_value_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = muli %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @known_value_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 unsigned : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @known_value_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = shri %x, %v1 unsigned : tile<2x4xi8>
    %v3 = constant <i8: 3> : tile<2x4xi8>
    %v4 = shri %v2, %v3 unsigned : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @known_value_4_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<16>, %x : tile<i8>
    %v2 = constant <i8: 8> : tile<i8>
    %v3 = remi %v1, %v2 signed : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @known_value_4_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    %v2 = constant <i8: 8> : tile<2x4xi8>
    %v3 = remi %v1, %v2 signed : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @known_value_5_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<8>, %x : tile<i8>
    %v2 = constant <i8: 31> : tile<i8>
    %v3 = andi %v1, %v2 : tile<i8>
    %v4 = constant <i8: 7> : tile<i8>
    %v5 = andi %v3, %v4 : tile<i8>
    return %v5 : tile<i8>
  }
  testing$func @known_value_5_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume div_by<8>, %x : tile<2x4xi8>
    %v2 = constant <i8: 31> : tile<2x4xi8>
    %v3 = andi %v1, %v2 : tile<2x4xi8>
    %v4 = constant <i8: 7> : tile<2x4xi8>
    %v5 = andi %v3, %v4 : tile<2x4xi8>
    return %v5 : tile<2x4xi8>
  }
  testing$func @known_value_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<8>, %x : tile<i8>
    %v2 = constant <i8: 15> : tile<i8>
    %v3 = andi %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
}
// output:
cuda_tile.module @m {
  testing$func @known_value_rank_0(%x: tile<i8>) -> tile<i8> {
    %v3 = constant <i8: 0> : tile<i8>
    %v1 = assume div_by<16>, %x : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @known_value_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v3 = constant <i8: 0> : tile<2x4xi8>
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @known_value_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @known_value_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @known_value_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v4 = constant <i8: 0> : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @known_value_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v4 = constant <i8: 0> : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @known_value_4_rank_0(%x: tile<i8>) -> tile<i8> {
    %v3 = constant <i8: 0> : tile<i8>
    %v1 = assume div_by<16>, %x : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @known_value_4_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v3 = constant <i8: 0> : tile<2x4xi8>
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @known_value_5_rank_0(%x: tile<i8>) -> tile<i8> {
    %v5 = constant <i8: 0> : tile<i8>
    %v1 = assume div_by<8>, %x : tile<i8>
    return %v5 : tile<i8>
  }
  testing$func @known_value_5_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v5 = constant <i8: 0> : tile<2x4xi8>
    %v1 = assume div_by<8>, %x : tile<2x4xi8>
    return %v5 : tile<2x4xi8>
  }
  testing$func @known_value_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<8>, %x : tile<i8>
    %v2 = constant <i8: 15> : tile<i8>
    %v3 = andi %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
}
// rewrites:
//    9 known_value
//   15 known_value
//   20 known_value
//   25 known_value
//   32 known_value
//   39 known_value
//   45 known_value
//   51 known_value
//   59 known_value
//   67 known_value
