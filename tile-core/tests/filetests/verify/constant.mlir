// test: verify
// What a constant may hold.

cuda_tile.module @m {
  entry @k() {
    %r0 = constant <i1: true> : tile<2xi1>
    %r1 = constant <i8: 1> : tile<2xi8>
    %r2 = constant <i16: 1> : tile<2xi16>
    %r3 = constant <i32: 1> : tile<2xi32>
    %r4 = constant <i64: 1> : tile<2xi64>
    %r5 = constant <f16: 1.0> : tile<2xf16>
    %r6 = constant <bf16: 1.0> : tile<2xbf16>
    %r7 = constant <f32: 1.0> : tile<2xf32>
    %r8 = constant <f64: 1.0> : tile<2xf64>
    %r9 = constant <tf32: 1.0> : tile<2xtf32>
    %r10 = constant <f8E4M3FN: 1.0> : tile<2xf8E4M3FN>
    %r11 = constant <f8E5M2: 1.0> : tile<2xf8E5M2>
    %r12 = constant <f8E8M0FNU: 1.0> : tile<2xf8E8M0FNU>
    %r13 = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
    %r14 = constant <f32: [1.0, 2.0]> : tile<2xf32>
    %r15 = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    %r16 = constant <i64: 1> : tile<i64>
    %r17 = constant <f32: 1.0> : tile<3xf32> // error[T0306]: all dimensions must be powers of two, got 3
    %r18 = constant <i1: true> : tile<16777216x2xi1> // error[T0306]: tile would exceed the maximum of 16777216 elements
    return
  }
}
