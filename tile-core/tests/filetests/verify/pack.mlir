// test: verify
// Rank 1, another width than a byte, and the same bytes.

cuda_tile.module @m {
  entry @k() {
    %i1_8 = constant <i1: true> : tile<8xi1>
    %i1_16 = constant <i1: true> : tile<16xi1>
    %i1_4 = constant <i1: true> : tile<4xi1>
    %i8_2 = constant <i8: 1> : tile<2xi8>
    %i4_2 = trunci %i8_2 : tile<2xi8> -> tile<2xi4>
    %i8_4 = constant <i8: 1> : tile<4xi8>
    %i4_4 = trunci %i8_4 : tile<4xi8> -> tile<4xi4>
    %i8_1 = constant <i8: 1> : tile<1xi8>
    %i4_1 = trunci %i8_1 : tile<1xi8> -> tile<1xi4>
    %f4E2M1FN_2 = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
    %i16_2 = constant <i16: 1> : tile<2xi16>
    %f16_4 = constant <f16: 1.0> : tile<4xf16>
    %bf16_1 = constant <bf16: 1.0> : tile<1xbf16>
    %f32_1 = constant <f32: 1.0> : tile<1xf32>
    %i32_2 = constant <i32: 1> : tile<2xi32>
    %tf32_1 = constant <tf32: 1.0> : tile<1xtf32>
    %tf32_8 = constant <tf32: 1.0> : tile<8xtf32>
    %f64_1 = constant <f64: 1.0> : tile<1xf64>
    %i64_2 = constant <i64: 1> : tile<2xi64>
    %f8E5M2_4 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %f8E4M3FN_4 = constant <f8E4M3FN: 1.0> : tile<4xf8E4M3FN>
    %f8E8M0FNU_4 = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %f16_s = constant <f16: 1.0> : tile<f16>
    %f16_2 = constant <f16: 1.0> : tile<2xf16>
    %f16_2x2 = constant <f16: 1.0> : tile<2x2xf16>
    %i64_1 = constant <i64: 1> : tile<1xi64>
    %p_f16_1 = int_to_ptr %i64_1 : tile<1xi64> -> tile<1xptr<f16>>
    %r0 = pack %i1_8 : tile<8xi1> -> tile<1xi8>
    %r1 = pack %i1_16 : tile<16xi1> -> tile<2xi8>
    %r2 = pack %i1_4 : tile<4xi1> -> tile<1xi8> // error[T0301]: expected whole bytes, found 4 bits
    %r3 = pack %i1_8 : tile<8xi1> -> tile<2xi8> // error[T0301]: expected 1 bytes, found 2
    %r4 = pack %i1_8 : tile<8xi1> -> tile<8xi8> // error[T0301]: expected 1 bytes, found 8
    %r5 = pack %i4_2 : tile<2xi4> -> tile<1xi8>
    %r6 = pack %i4_4 : tile<4xi4> -> tile<2xi8>
    %r7 = pack %i4_1 : tile<1xi4> -> tile<1xi8> // error[T0301]: expected whole bytes, found 4 bits
    %r8 = pack %i4_4 : tile<4xi4> -> tile<1xi8> // error[T0301]: expected 2 bytes, found 1
    %r9 = pack %f4E2M1FN_2 : tile<2xf4E2M1FN> -> tile<1xi8>
    %r10 = pack %i16_2 : tile<2xi16> -> tile<4xi8>
    %r11 = pack %i16_2 : tile<2xi16> -> tile<2xi8> // error[T0301]: expected 4 bytes, found 2
    %r12 = pack %f16_4 : tile<4xf16> -> tile<8xi8>
    %r13 = pack %bf16_1 : tile<1xbf16> -> tile<2xi8>
    %r14 = pack %f32_1 : tile<1xf32> -> tile<4xi8>
    %r15 = pack %f32_1 : tile<1xf32> -> tile<8xi8> // error[T0301]: expected 4 bytes, found 8
    %r16 = pack %i32_2 : tile<2xi32> -> tile<8xi8>
    %r17 = pack %tf32_1 : tile<1xtf32> -> tile<4xi8>
    %r18 = pack %tf32_8 : tile<8xtf32> -> tile<32xi8>
    %r19 = pack %tf32_8 : tile<8xtf32> -> tile<16xi8> // error[T0301]: expected 32 bytes, found 16
    %r20 = pack %f64_1 : tile<1xf64> -> tile<8xi8>
    %r21 = pack %i64_2 : tile<2xi64> -> tile<16xi8>
    %r22 = pack %f8E5M2_4 : tile<4xf8E5M2> -> tile<4xi8> // error[T0301]: expected different element type widths, found `f8E5M2` and `i8`
    %r23 = pack %f8E4M3FN_4 : tile<4xf8E4M3FN> -> tile<4xi8> // error[T0301]: expected different element type widths, found `f8E4M3FN` and `i8`
    %r24 = pack %f8E8M0FNU_4 : tile<4xf8E8M0FNU> -> tile<4xi8> // error[T0301]: expected different element type widths, found `f8E8M0FNU` and `i8`
    %r25 = pack %i8_4 : tile<4xi8> -> tile<4xi8> // error[T0301]: expected different element type widths, found `i8` and `i8`
    %r26 = pack %f16_s : tile<f16> -> tile<i8> // error[T0301]: expected tiles of rank 1, found ranks 0 and 0
    %r27 = pack %f16_s : tile<f16> -> tile<2xi8> // error[T0301]: expected tiles of rank 1, found ranks 0 and 1
    %r28 = pack %f16_2 : tile<2xf16> -> tile<i8> // error[T0301]: expected tiles of rank 1, found ranks 1 and 0
    %r29 = pack %f16_2 : tile<2xf16> -> tile<2x2xi8> // error[T0301]: expected tiles of rank 1, found ranks 1 and 2
    %r30 = pack %f16_2x2 : tile<2x2xf16> -> tile<8xi8> // error[T0301]: expected tiles of rank 1, found ranks 2 and 1
    %r31 = pack %f16_2x2 : tile<2x2xf16> -> tile<4x2xi8> // error[T0301]: expected tiles of rank 1, found ranks 2 and 2
    %r32 = pack %p_f16_1 : tile<1xptr<f16>> -> tile<8xi8> // error[T0301]: expected `source` to be a tile of numbers, found `tile<1xptr<f16>>`
    %r33 = pack %f16_2 : tile<2xf16> -> tile<2xi16> // error[T0303]: expected `result` to be a tile of i8, found `tile<2xi16>`
    return
  }
}
