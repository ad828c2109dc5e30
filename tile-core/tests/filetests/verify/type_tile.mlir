// test: verify
// Extents, size and elements of tiles; the first fault in the order of upstream.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i64_1 = constant <i64: 1> : tile<1xi64>
    %r0 = constant <i32: 1> : tile<1xi32>
    %r1 = constant <i32: 1> : tile<2xi32>
    %r2 = constant <i32: 1> : tile<3xi32> // error[T0306]: all dimensions must be powers of two, got 3
    %r3 = constant <i32: 1> : tile<0xi32> // error[T0306]: all dimensions must be positive constants, got 0
    %r4 = constant <i32: 1> : tile<6xi32> // error[T0306]: all dimensions must be powers of two, got 6
    %r5 = constant <i32: 1> : tile<16777216xi32>
    %r6 = constant <i32: 1> : tile<33554432xi32> // error[T0306]: tile would exceed the maximum of 16777216 elements
    %r7 = constant <i32: 1> : tile<4096x4096xi32>
    %r8 = constant <i32: 1> : tile<8192x4096xi32> // error[T0306]: tile would exceed the maximum of 16777216 elements
    %r9 = constant <i32: 1> : tile<4096x4096x1xi32>
    %r10 = constant <i32: 1> : tile<4096x4096x2xi32> // error[T0306]: tile would exceed the maximum of 16777216 elements
    %r11 = constant <i32: 1> : tile<1x1x1x1x1x1x1x1xi32>
    %r12 = constant <i32: 1> : tile<3x0xi32> // error[T0306]: all dimensions must be powers of two, got 3, 0
    %r13 = constant <i32: 1> : tile<0x3xi32> // error[T0306]: all dimensions must be positive constants, got 0, 3
    %r14 = constant <i32: 1> : tile<3x33554432xi32> // error[T0306]: all dimensions must be powers of two, got 3, 33554432
    %r15 = constant <i32: 1> : tile<4611686018427387904x4xi32> // error[T0306]: tile would exceed the maximum of 16777216 elements
    %r16 = constant <i32: 1> : tile<4294967296x4294967296xi32> // error[T0306]: tile would exceed the maximum of 16777216 elements
    %r17 = constant <i32: 1> : tile<9223372036854775807xi32> // error[T0306]: all dimensions must be powers of two, got 9223372036854775807
    %r18 = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
    %r19 = constant <f4E2M1FN: 1.0> : tile<1xf4E2M1FN> // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %r20 = constant <f4E2M1FN: 1.0> : tile<1x2xf4E2M1FN>
    %r21 = constant <f4E2M1FN: 1.0> : tile<2x1xf4E2M1FN>
    %r22 = constant <f4E2M1FN: 1.0> : tile<1x1xf4E2M1FN> // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %r23 = constant <f4E2M1FN: 1.0> : tile<3xf4E2M1FN> // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %r24 = constant <f4E2M1FN: 1.0> : tile<6xf4E2M1FN> // error[T0306]: all dimensions must be powers of two, got 6
    %r25 = constant <f4E2M1FN: 1.0> : tile<0xf4E2M1FN> // error[T0306]: all dimensions must be positive constants, got 0
    %r26 = constant <f4E2M1FN: 1.0> : tile<f4E2M1FN> // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %r27 = constant <f8E5M2: 1.0> : tile<f8E5M2>
    %r28 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i4>> // error[T0306]: a pointer cannot point to `i4`
    %r29 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %r30 = int_to_ptr %i64_1 : tile<1xi64> -> tile<1xptr<f4E2M1FN>>
    %r31 = int_to_ptr %i64 : tile<4xi64> -> tile<3xptr<i4>> // error[T0306]: a pointer cannot point to `i4`
    return
  }
}
