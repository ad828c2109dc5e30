// test: verify
// Integers of one shape, the result narrower.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %i16 = constant <i16: 1> : tile<4xi16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %i32_s = constant <i32: 1> : tile<i32>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %p_i8 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i8>>
    %r0 = trunci %i1 : tile<4xi1> -> tile<4xi1> // error[T0301]: expected a narrower result, found `i1` and `i1`
    %r1 = trunci %i1 : tile<4xi1> -> tile<4xi4> // error[T0301]: expected a narrower result, found `i1` and `i4`
    %r2 = trunci %i4 : tile<4xi4> -> tile<4xi1>
    %r3 = trunci %i4 : tile<4xi4> -> tile<4xi4> // error[T0301]: expected a narrower result, found `i4` and `i4`
    %r4 = trunci %i4 : tile<4xi4> -> tile<4xi8> // error[T0301]: expected a narrower result, found `i4` and `i8`
    %r5 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %r6 = trunci %i8 : tile<4xi8> -> tile<4xi8> // error[T0301]: expected a narrower result, found `i8` and `i8`
    %r7 = trunci %i8 : tile<4xi8> -> tile<4xi16> // error[T0301]: expected a narrower result, found `i8` and `i16`
    %r8 = trunci %i16 : tile<4xi16> -> tile<4xi8>
    %r9 = trunci %i16 : tile<4xi16> -> tile<4xi16> // error[T0301]: expected a narrower result, found `i16` and `i16`
    %r10 = trunci %i16 : tile<4xi16> -> tile<4xi32> // error[T0301]: expected a narrower result, found `i16` and `i32`
    %r11 = trunci %i32 : tile<4xi32> -> tile<4xi16>
    %r12 = trunci %i32 : tile<4xi32> -> tile<4xi32> // error[T0301]: expected a narrower result, found `i32` and `i32`
    %r13 = trunci %i32 : tile<4xi32> -> tile<4xi64> // error[T0301]: expected a narrower result, found `i32` and `i64`
    %r14 = trunci %i64 : tile<4xi64> -> tile<4xi1>
    %r15 = trunci %i64 : tile<4xi64> -> tile<4xi32>
    %r16 = trunci %i64 : tile<4xi64> -> tile<4xi64> // error[T0301]: expected a narrower result, found `i64` and `i64`
    %r17 = trunci %i32_s overflow<no_wrap> : tile<i32> -> tile<i8>
    %r18 = trunci %i32 : tile<4xi32> -> tile<8xi8> // error[T0303]: expected `to` of shape `(4)`, found `(8)`
    %r19 = trunci %f32 : tile<4xf32> -> tile<4xi8> // error[T0301]: expected `from` to be a tile of integers, found `tile<4xf32>`
    %r20 = trunci %i32 : tile<4xi32> -> tile<4xf16> // error[T0303]: expected `to` to be a tile of integers, found `tile<4xf16>`
    %r21 = trunci %p_i8 : tile<4xptr<i8>> -> tile<4xi8> // error[T0301]: expected `from` to be a tile of integers, found `tile<4xptr<i8>>`
    return
  }
}
