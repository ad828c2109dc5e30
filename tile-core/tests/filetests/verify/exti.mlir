// test: verify
// Integers of one shape, the result wider.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %i16 = constant <i16: 1> : tile<4xi16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %i8_s = constant <i8: 1> : tile<i8>
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %p_i8 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i8>>
    %r0 = exti %i1 signed : tile<4xi1> -> tile<4xi1> // error[T0301]: expected a wider result, found `i1` and `i1`
    %r1 = exti %i1 signed : tile<4xi1> -> tile<4xi4>
    %r2 = exti %i1 signed : tile<4xi1> -> tile<4xi64>
    %r3 = exti %i4 signed : tile<4xi4> -> tile<4xi1> // error[T0301]: expected a wider result, found `i4` and `i1`
    %r4 = exti %i4 signed : tile<4xi4> -> tile<4xi4> // error[T0301]: expected a wider result, found `i4` and `i4`
    %r5 = exti %i4 signed : tile<4xi4> -> tile<4xi8>
    %r6 = exti %i8 signed : tile<4xi8> -> tile<4xi4> // error[T0301]: expected a wider result, found `i8` and `i4`
    %r7 = exti %i8 signed : tile<4xi8> -> tile<4xi8> // error[T0301]: expected a wider result, found `i8` and `i8`
    %r8 = exti %i8 signed : tile<4xi8> -> tile<4xi16>
    %r9 = exti %i16 signed : tile<4xi16> -> tile<4xi8> // error[T0301]: expected a wider result, found `i16` and `i8`
    %r10 = exti %i16 signed : tile<4xi16> -> tile<4xi16> // error[T0301]: expected a wider result, found `i16` and `i16`
    %r11 = exti %i16 signed : tile<4xi16> -> tile<4xi32>
    %r12 = exti %i32 signed : tile<4xi32> -> tile<4xi16> // error[T0301]: expected a wider result, found `i32` and `i16`
    %r13 = exti %i32 signed : tile<4xi32> -> tile<4xi32> // error[T0301]: expected a wider result, found `i32` and `i32`
    %r14 = exti %i32 signed : tile<4xi32> -> tile<4xi64>
    %r15 = exti %i64 signed : tile<4xi64> -> tile<4xi32> // error[T0301]: expected a wider result, found `i64` and `i32`
    %r16 = exti %i64 signed : tile<4xi64> -> tile<4xi64> // error[T0301]: expected a wider result, found `i64` and `i64`
    %r17 = exti %i8_s unsigned : tile<i8> -> tile<i32>
    %r18 = exti %i8 signed : tile<4xi8> -> tile<8xi32> // error[T0303]: expected `to` of shape `(4)`, found `(8)`
    %r19 = exti %f16 signed : tile<4xf16> -> tile<4xi32> // error[T0301]: expected `from` to be a tile of integers, found `tile<4xf16>`
    %r20 = exti %i8 signed : tile<4xi8> -> tile<4xf32> // error[T0303]: expected `to` to be a tile of integers, found `tile<4xf32>`
    %r21 = exti %p_i8 signed : tile<4xptr<i8>> -> tile<4xi64> // error[T0301]: expected `from` to be a tile of integers, found `tile<4xptr<i8>>`
    %r22 = exti %i8 signed : tile<4xi8> -> token // error[T0303]: expected `to` to be a tile of integers, found `token`
    return
  }
}
