// test: verify
// Attributes of integer operations that exclude each other.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %j = constant <i32: 7> : tile<8xi32>
    %l = constant <i64: 7> : tile<4xi64>
    %f = constant <f32: 1.5> : tile<4xf32>
    %g = constant <f64: 1.5> : tile<4xf64>
    %h = constant <f16: 1.5> : tile<4xf16>
    %s = constant <i32: 7> : tile<i32>
    %c = constant <i1: true> : tile<i1>
    %r0 = divi %i, %i unsigned rounding<negative_inf> : tile<4xi32> // error[T0302]: `rounding<negative_inf>` on an unsigned division
    %r1 = negi %i overflow<no_unsigned_wrap> : tile<4xi32> // error[T0302]: `overflow<no_unsigned_wrap>` on a negation
    %r2 = divi %i, %i unsigned rounding<positive_inf> : tile<4xi32>
    %r3 = negi %i overflow<no_wrap> : tile<4xi32>
    return
  }
}
