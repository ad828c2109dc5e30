// test: verify
// Rank 1, another width than a byte, and the same bytes.

cuda_tile.module @m {
  entry @k() {
    %i8_1 = constant <i8: 1> : tile<1xi8>
    %i8_2 = constant <i8: 1> : tile<2xi8>
    %i8_8 = constant <i8: 1> : tile<8xi8>
    %i8_4 = constant <i8: 1> : tile<4xi8>
    %i8_32 = constant <i8: 1> : tile<32xi8>
    %i8_16 = constant <i8: 1> : tile<16xi8>
    %i8_s = constant <i8: 1> : tile<i8>
    %i8_2x2 = constant <i8: 1> : tile<2x2xi8>
    %i16_2 = constant <i16: 1> : tile<2xi16>
    %f16_2 = constant <f16: 1.0> : tile<2xf16>
    %r0 = unpack %i8_1 : tile<1xi8> -> tile<8xi1>
    %r1 = unpack %i8_2 : tile<2xi8> -> tile<16xi1>
    %r2 = unpack %i8_1 : tile<1xi8> -> tile<4xi1> // error[T0301]: expected whole bytes, found 4 bits
    %r3 = unpack %i8_2 : tile<2xi8> -> tile<8xi1> // error[T0301]: expected 1 bytes, found 2
    %r4 = unpack %i8_8 : tile<8xi8> -> tile<8xi1> // error[T0301]: expected 1 bytes, found 8
    %r5 = unpack %i8_1 : tile<1xi8> -> tile<2xi4>
    %r6 = unpack %i8_2 : tile<2xi8> -> tile<4xi4>
    %r7 = unpack %i8_1 : tile<1xi8> -> tile<1xi4> // error[T0301]: expected whole bytes, found 4 bits
    %r8 = unpack %i8_1 : tile<1xi8> -> tile<4xi4> // error[T0301]: expected 2 bytes, found 1
    %r9 = unpack %i8_1 : tile<1xi8> -> tile<2xf4E2M1FN>
    %r10 = unpack %i8_4 : tile<4xi8> -> tile<2xi16>
    %r11 = unpack %i8_2 : tile<2xi8> -> tile<2xi16> // error[T0301]: expected 4 bytes, found 2
    %r12 = unpack %i8_8 : tile<8xi8> -> tile<4xf16>
    %r13 = unpack %i8_2 : tile<2xi8> -> tile<1xbf16>
    %r14 = unpack %i8_4 : tile<4xi8> -> tile<1xf32>
    %r15 = unpack %i8_8 : tile<8xi8> -> tile<1xf32> // error[T0301]: expected 4 bytes, found 8
    %r16 = unpack %i8_8 : tile<8xi8> -> tile<2xi32>
    %r17 = unpack %i8_4 : tile<4xi8> -> tile<1xtf32>
    %r18 = unpack %i8_32 : tile<32xi8> -> tile<8xtf32>
    %r19 = unpack %i8_16 : tile<16xi8> -> tile<8xtf32> // error[T0301]: expected 32 bytes, found 16
    %r20 = unpack %i8_8 : tile<8xi8> -> tile<1xf64>
    %r21 = unpack %i8_16 : tile<16xi8> -> tile<2xi64>
    %r22 = unpack %i8_4 : tile<4xi8> -> tile<4xf8E5M2> // error[T0301]: expected different element type widths, found `f8E5M2` and `i8`
    %r23 = unpack %i8_4 : tile<4xi8> -> tile<4xf8E4M3FN> // error[T0301]: expected different element type widths, found `f8E4M3FN` and `i8`
    %r24 = unpack %i8_4 : tile<4xi8> -> tile<4xf8E8M0FNU> // error[T0301]: expected different element type widths, found `f8E8M0FNU` and `i8`
    %r25 = unpack %i8_4 : tile<4xi8> -> tile<4xi8> // error[T0301]: expected different element type widths, found `i8` and `i8`
    %r26 = unpack %i8_s : tile<i8> -> tile<f16> // error[T0301]: expected tiles of rank 1, found ranks 0 and 0
    %r27 = unpack %i8_2 : tile<2xi8> -> tile<f16> // error[T0301]: expected tiles of rank 1, found ranks 0 and 1
    %r28 = unpack %i8_2x2 : tile<2x2xi8> -> tile<2xf16> // error[T0301]: expected tiles of rank 1, found ranks 1 and 2
    %r29 = unpack %i8_8 : tile<8xi8> -> tile<2x2xf16> // error[T0301]: expected tiles of rank 1, found ranks 2 and 1
    %r30 = unpack %i8_8 : tile<8xi8> -> tile<1xptr<f16>> // error[T0303]: expected `result` to be a tile of numbers, found `tile<1xptr<f16>>`
    %r31 = unpack %i16_2 : tile<2xi16> -> tile<1xf32> // error[T0301]: expected `source` to be a tile of i8, found `tile<2xi16>`
    %r32 = unpack %f16_2 : tile<2xf16> -> tile<1xf32> // error[T0301]: expected `source` to be a tile of i8, found `tile<2xf16>`
    return
  }
}
