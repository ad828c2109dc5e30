// test: verify
// Widths and rounding of conversions.

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
    %m = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %r0 = bitcast %i : tile<4xi32> -> tile<4xi64> // error[T0301]: expected types of equal width, found `i32` and `i64`
    %r1 = exti %i signed : tile<4xi32> -> tile<4xi32> // error[T0301]: expected a wider result, found `i32` and `i32`
    %r2 = exti %l signed : tile<4xi64> -> tile<4xi32> // error[T0301]: expected a wider result, found `i64` and `i32`
    %r3 = trunci %i : tile<4xi32> -> tile<4xi32> // error[T0301]: expected a narrower result, found `i32` and `i32`
    %r4 = trunci %i : tile<4xi32> -> tile<4xi64> // error[T0301]: expected a narrower result, found `i32` and `i64`
    %r5 = ftof %f : tile<4xf32> -> tile<4xf32> // error[T0301]: expected different types, found `f32` twice
    %r6 = ftof %f : tile<4xf32> -> tile<4xf8E8M0FNU> // error[T0302]: `rounding<nearest_even>` in a conversion to `f8E8M0FNU`
    %r7 = ftof %f rounding<zero> : tile<4xf32> -> tile<4xf16> // error[T0302]: `rounding<zero>` in a conversion to `f16`
    %r8 = ftof %f rounding<negative_inf> : tile<4xf32> -> tile<4xf8E8M0FNU> // error[T0302]: `rounding<negative_inf>` in a conversion to `f8E8M0FNU`
    %r9 = itof %i signed : tile<4xi32> -> tile<4xf8E8M0FNU> // error[T0301]: cannot convert `i32` to `f8E8M0FNU`
    %ra = ftof %f rounding<positive_inf> : tile<4xf32> -> tile<4xf8E8M0FNU>
    %rb = ftof %m : tile<4xf8E8M0FNU> -> tile<4xf32>
    return
  }
}
