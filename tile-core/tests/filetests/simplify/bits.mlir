// test: opt --passes=simplify
// Bitwise operations with constants and known bits, shifts.
// Per rule: it fires at rank 0 and at rank 2, and does not where one condition is missing.

cuda_tile.module @m {
  testing$func @and_known_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 4> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 15> : tile<i8>
    %v4 = andi %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @and_known_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 4> : tile<2x4xi8>
    %v2 = shri %x, %v1 unsigned : tile<2x4xi8>
    %v3 = constant <i8: 15> : tile<2x4xi8>
    %v4 = andi %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @and_known_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<16>, %x : tile<i8>
    %v2 = constant <i8: -16> : tile<i8>
    %v3 = andi %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @and_known_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    %v2 = constant <i8: -16> : tile<2x4xi8>
    %v3 = andi %v1, %v2 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @and_known_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @and_known_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @and_known_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 15> : tile<i8>
    %v4 = andi %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @or_known_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = ori %x, %v1 : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = ori %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @or_known_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = ori %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 3> : tile<2x4xi8>
    %v4 = ori %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @or_known_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = ori %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @or_known_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = ori %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @or_known_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = assume bounded<-1, -1>, %x : tile<i8>
    %v4 = ori %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @or_known_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 1> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = assume bounded<-1, -1>, %x : tile<2x4xi8>
    %v4 = ori %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @or_known_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = ori %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @and_constants_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 60> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 15> : tile<i8>
    %v4 = andi %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @and_constants_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 60> : tile<2x4xi8>
    %v2 = andi %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 15> : tile<2x4xi8>
    %v4 = andi %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @and_constants_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = andi %x, %y : tile<i8>
    %v2 = constant <i8: 15> : tile<i8>
    %v3 = andi %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @or_constants_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 60> : tile<i8>
    %v2 = ori %x, %v1 : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = ori %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @or_constants_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 60> : tile<2x4xi8>
    %v2 = ori %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 3> : tile<2x4xi8>
    %v4 = ori %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @or_constants_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    %v2 = constant <i8: 3> : tile<i8>
    %v3 = ori %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @xor_constants_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 60> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = constant <i8: 15> : tile<i8>
    %v4 = xori %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @xor_constants_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 60> : tile<2x4xi8>
    %v2 = xori %x, %v1 : tile<2x4xi8>
    %v3 = constant <i8: 15> : tile<2x4xi8>
    %v4 = xori %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @xor_constants_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 60> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = xori %v2, %v1 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @xor_constants_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 60> : tile<2x4xi8>
    %v2 = xori %x, %v1 : tile<2x4xi8>
    %v3 = xori %v2, %v1 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @xor_constants_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = xori %x, %y : tile<i8>
    %v2 = constant <i8: 15> : tile<i8>
    %v3 = xori %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @xor_zero_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @xor_zero_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = xori %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @xor_zero_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 2> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @xor_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = xori %x, %x : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @xor_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = xori %x, %x : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @xor_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = xori %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @xor_cancels_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = xori %x, %y : tile<i8>
    %v2 = xori %v1, %y : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @xor_cancels_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = xori %x, %y : tile<2x4xi8>
    %v2 = xori %v1, %y : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @xor_cancels_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = xori %y, %x : tile<i8>
    %v2 = xori %y, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @xor_cancels_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = xori %y, %x : tile<2x4xi8>
    %v2 = xori %y, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @xor_cancels_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = xori %x, %y : tile<i8>
    %v2 = xori %v1, %z : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @xor_complement_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = xori %x, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @xor_complement_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    %v2 = xori %x, %v1 : tile<2x4xi8>
    %v3 = xori %x, %v2 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @xor_complement_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    %v3 = xori %y, %v1 : tile<i8>
    %v4 = xori %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @xor_complement_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    %v2 = xori %x, %v1 : tile<2x4xi8>
    %v3 = xori %y, %v1 : tile<2x4xi8>
    %v4 = xori %v2, %v3 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @xor_complement_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = xori %y, %v1 : tile<i8>
    %v3 = xori %x, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @shift_zero_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %v1 = constant <i8: 0> : tile<i8>
    %v2 = shli %x, %v1 : tile<i8>
    %v3 = shri %x, %v1 signed : tile<i8>
    return %v2, %v3 : tile<i8>, tile<i8>
  }
  testing$func @shift_zero_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    %v2 = shli %x, %v1 : tile<2x4xi8>
    %v3 = shri %x, %v1 signed : tile<2x4xi8>
    return %v2, %v3 : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @shift_zero_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = shri %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shl_to_mul_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shli %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shl_to_mul_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = shli %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @shl_to_mul_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shli %x, %v1 overflow<no_wrap> : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shl_to_mul_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = shli %x, %v1 overflow<no_wrap> : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @shl_to_mul_3_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = shli %x, %v1 overflow<no_wrap> : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shl_to_mul_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = shli %x, %v1 overflow<no_wrap> : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @shl_to_mul_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = shli %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @shr_shr_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 2> : tile<i8>
    %v2 = shri %x, %v1 signed : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_shr_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 2> : tile<2x4xi8>
    %v2 = shri %x, %v1 signed : tile<2x4xi8>
    %v3 = constant <i8: 3> : tile<2x4xi8>
    %v4 = shri %v2, %v3 signed : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_shr_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 2> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 unsigned : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_shr_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 2> : tile<2x4xi8>
    %v2 = shri %x, %v1 unsigned : tile<2x4xi8>
    %v3 = constant <i8: 3> : tile<2x4xi8>
    %v4 = shri %v2, %v3 unsigned : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_shr_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 5> : tile<i8>
    %v2 = shri %x, %v1 signed : tile<i8>
    %v3 = constant <i8: 6> : tile<i8>
    %v4 = shri %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_shr_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 5> : tile<2x4xi8>
    %v2 = shri %x, %v1 signed : tile<2x4xi8>
    %v3 = constant <i8: 6> : tile<2x4xi8>
    %v4 = shri %v2, %v3 signed : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_shr_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 2> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @mul_then_shr_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shli %x, %v1 : tile<i8>
    %v3 = shri %v2, %v1 unsigned : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @mul_then_shr_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 3> : tile<2x4xi8>
    %v2 = shli %x, %v1 : tile<2x4xi8>
    %v3 = shri %v2, %v1 unsigned : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @mul_then_shr_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 8> : tile<i8>
    %v2 = muli %x, %v1 overflow<no_unsigned_wrap> : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 unsigned : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @mul_then_shr_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 8> : tile<2x4xi8>
    %v2 = muli %x, %v1 overflow<no_unsigned_wrap> : tile<2x4xi8>
    %v3 = constant <i8: 3> : tile<2x4xi8>
    %v4 = shri %v2, %v3 unsigned : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @mul_then_shr_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 8> : tile<i8>
    %v2 = muli %x, %v1 overflow<no_signed_wrap> : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @mul_then_shr_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 8> : tile<2x4xi8>
    %v2 = muli %x, %v1 overflow<no_signed_wrap> : tile<2x4xi8>
    %v3 = constant <i8: 3> : tile<2x4xi8>
    %v4 = shri %v2, %v3 signed : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @mul_then_shr_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 8> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
}
// output:
cuda_tile.module @m {
  testing$func @and_known_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 4> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @and_known_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 4> : tile<2x4xi8>
    %v2 = shri %x, %v1 unsigned : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @and_known_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = assume div_by<16>, %x : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @and_known_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = assume div_by<16>, %x : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @and_known_3_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @and_known_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @and_known_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 3> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 15> : tile<i8>
    %v4 = andi %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @or_known_rank_0(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = ori %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @or_known_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 7> : tile<2x4xi8>
    %v2 = ori %x, %v1 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @or_known_2_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @or_known_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @or_known_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %v4 = constant <i8: -1> : tile<i8>
    %v3 = assume bounded<-1, -1>, %x : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @or_known_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %v4 = constant <i8: -1> : tile<2x4xi8>
    %v3 = assume bounded<-1, -1>, %x : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @or_known_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 7> : tile<i8>
    %v2 = andi %x, %v1 : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = ori %v2, %v3 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @and_constants_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 12> : tile<i8>
    %v4 = andi %x, %0 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @and_constants_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 12> : tile<2x4xi8>
    %v4 = andi %x, %0 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @and_constants_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = andi %x, %y : tile<i8>
    %v2 = constant <i8: 15> : tile<i8>
    %v3 = andi %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @or_constants_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 63> : tile<i8>
    %v4 = ori %x, %0 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @or_constants_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 63> : tile<2x4xi8>
    %v4 = ori %x, %0 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @or_constants_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = ori %x, %y : tile<i8>
    %v2 = constant <i8: 3> : tile<i8>
    %v3 = ori %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @xor_constants_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 51> : tile<i8>
    %v4 = xori %x, %0 : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @xor_constants_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 51> : tile<2x4xi8>
    %v4 = xori %x, %0 : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @xor_constants_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @xor_constants_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @xor_constants_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = xori %x, %y : tile<i8>
    %v2 = constant <i8: 15> : tile<i8>
    %v3 = xori %v1, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @xor_zero_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @xor_zero_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @xor_zero_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 2> : tile<i8>
    %v2 = xori %x, %v1 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @xor_same_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 0> : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @xor_same_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: 0> : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @xor_same_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = xori %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @xor_cancels_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @xor_cancels_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @xor_cancels_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @xor_cancels_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @xor_cancels_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = xori %x, %y : tile<i8>
    %v2 = xori %v1, %z : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @xor_complement_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @xor_complement_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v1 = constant <i8: -1> : tile<2x4xi8>
    return %v1 : tile<2x4xi8>
  }
  testing$func @xor_complement_2_rank_0(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v4 = xori %x, %y : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @xor_complement_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>, %z: tile<2x4xi8>) -> tile<2x4xi8> {
    %v4 = xori %x, %y : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @xor_complement_one_short(%x: tile<i8>, %y: tile<i8>, %z: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: -1> : tile<i8>
    %v2 = xori %y, %v1 : tile<i8>
    %v3 = xori %x, %v2 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @shift_zero_rank_0(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    return %x, %x : tile<i8>, tile<i8>
  }
  testing$func @shift_zero_rank_2(%x: tile<2x4xi8>) -> (tile<2x4xi8>, tile<2x4xi8>) {
    return %x, %x : tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @shift_zero_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 1> : tile<i8>
    %v2 = shri %x, %v1 signed : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shl_to_mul_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 8> : tile<i8>
    %v2 = muli %x, %0 : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shl_to_mul_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 8> : tile<2x4xi8>
    %v2 = muli %x, %0 : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @shl_to_mul_2_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 8> : tile<i8>
    %v2 = muli %x, %0 overflow<no_wrap> : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shl_to_mul_2_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 8> : tile<2x4xi8>
    %v2 = muli %x, %0 overflow<no_wrap> : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @shl_to_mul_3_rank_0(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %0 = constant <i8: -128> : tile<i8>
    %v2 = muli %x, %0 overflow<no_unsigned_wrap> : tile<i8>
    return %v2 : tile<i8>
  }
  testing$func @shl_to_mul_3_rank_2(%x: tile<2x4xi8>, %y: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: -128> : tile<2x4xi8>
    %v2 = muli %x, %0 overflow<no_unsigned_wrap> : tile<2x4xi8>
    return %v2 : tile<2x4xi8>
  }
  testing$func @shl_to_mul_one_short(%x: tile<i8>, %y: tile<i8>) -> tile<i8> {
    %v1 = shli %x, %y : tile<i8>
    return %v1 : tile<i8>
  }
  testing$func @shr_shr_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 5> : tile<i8>
    %v4 = shri %x, %0 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_shr_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 5> : tile<2x4xi8>
    %v4 = shri %x, %0 signed : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_shr_2_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 5> : tile<i8>
    %v4 = shri %x, %0 unsigned : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_shr_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 5> : tile<2x4xi8>
    %v4 = shri %x, %0 unsigned : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_shr_3_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 7> : tile<i8>
    %v4 = shri %x, %0 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @shr_shr_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 7> : tile<2x4xi8>
    %v4 = shri %x, %0 signed : tile<2x4xi8>
    return %v4 : tile<2x4xi8>
  }
  testing$func @shr_shr_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 2> : tile<i8>
    %v2 = shri %x, %v1 unsigned : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
  testing$func @mul_then_shr_rank_0(%x: tile<i8>) -> tile<i8> {
    %0 = constant <i8: 31> : tile<i8>
    %v3 = andi %x, %0 : tile<i8>
    return %v3 : tile<i8>
  }
  testing$func @mul_then_shr_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %0 = constant <i8: 31> : tile<2x4xi8>
    %v3 = andi %x, %0 : tile<2x4xi8>
    return %v3 : tile<2x4xi8>
  }
  testing$func @mul_then_shr_2_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @mul_then_shr_2_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @mul_then_shr_3_rank_0(%x: tile<i8>) -> tile<i8> {
    return %x : tile<i8>
  }
  testing$func @mul_then_shr_3_rank_2(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @mul_then_shr_one_short(%x: tile<i8>) -> tile<i8> {
    %v1 = constant <i8: 8> : tile<i8>
    %v2 = muli %x, %v1 : tile<i8>
    %v3 = constant <i8: 3> : tile<i8>
    %v4 = shri %v2, %v3 signed : tile<i8>
    return %v4 : tile<i8>
  }
}
// rewrites:
//   10 and_known
//   17 and_known
//   23 and_known
//   29 and_known
//   34 and_known
//   39 and_known
//   53 or_known
//   60 or_known
//   65 or_known
//   70 or_known
//   77 known_value
//   84 known_value
//   98 and_constants
//  105 and_constants
//  118 or_constants
//  125 or_constants
//  138 xor_constants
//  145 xor_constants
//  151 xor_constants
//  157 xor_constants
//  168 xor_zero
//  173 xor_zero
//  182 xor_same
//  186 xor_same
//  195 xor_cancels
//  200 xor_cancels
//  205 xor_cancels
//  210 xor_cancels
//  221 xor_cancels
//  227 xor_cancels
//  234 xor_complement
//  241 xor_complement
//  252 shift_zero
//  253 shift_zero
//  258 shift_zero
//  259 shift_zero
//  269 shl_to_mul
//  274 shl_to_mul
//  279 shl_to_mul
//  284 shl_to_mul
//  289 shl_to_mul
//  294 shl_to_mul
//  305 shr_shr
//  312 shr_shr
//  319 shr_shr
//  326 shr_shr
//  333 shr_shr
//  340 shr_shr
//  352 shl_to_mul
//  353 mul_then_shr
//  358 shl_to_mul
//  359 mul_then_shr
//  366 mul_then_shr
//  373 mul_then_shr
//  380 mul_then_shr
//  387 mul_then_shr
