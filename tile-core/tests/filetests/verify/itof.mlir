// test: verify
// Integers to floats of their shape; not to a scale.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i16 = constant <i16: 1> : tile<4xi16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %i8_s = constant <i8: 1> : tile<i8>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %r0 = itof %i1 signed : tile<4xi1> -> tile<4xf32>
    %r1 = itof %i8 signed : tile<4xi8> -> tile<4xf32>
    %r2 = itof %i16 signed : tile<4xi16> -> tile<4xf32>
    %r3 = itof %i32 signed : tile<4xi32> -> tile<4xf32>
    %r4 = itof %i64 signed : tile<4xi64> -> tile<4xf32>
    %r5 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xf16>
    %r6 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xbf16>
    %r7 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xf32>
    %r8 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xf64>
    %r9 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xtf32>
    %r10 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xf8E4M3FN>
    %r11 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xf8E5M2>
    %r12 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xf8E8M0FNU> // error[T0301]: cannot convert `i32` to `f8E8M0FNU`
    %r13 = itof %i32 unsigned rounding<nearest_even> : tile<4xi32> -> tile<4xf4E2M1FN>
    %r14 = itof %i8_s signed : tile<i8> -> tile<f16>
    %r15 = itof %i4 signed : tile<4xi4> -> tile<4xf32> // error[T0301]: expected `from` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r16 = itof %f32 signed : tile<4xf32> -> tile<4xf32> // error[T0301]: expected `from` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r17 = itof %i32 signed : tile<4xi32> -> tile<4xi32> // error[T0303]: expected `to` to be a tile of floats, found `tile<4xi32>`
    %r18 = itof %i32 signed : tile<4xi32> -> tile<8xf32> // error[T0303]: expected `to` of shape `(4)`, found `(8)`
    return
  }
}
