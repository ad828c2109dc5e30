// test: verify
// Modifiers that are for f32 only, and rounding modes that an operation lacks.

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
    %r0 = addf %g, %g flush_to_zero : tile<4xf64> // error[T0302]: `flush_to_zero` on `tile<4xf64>`
    %r1 = exp2 %h flush_to_zero : tile<4xf16> // error[T0302]: `flush_to_zero` on `tile<4xf16>`
    %r2 = divf %g, %g rounding<approx> : tile<4xf64> // error[T0302]: `rounding<approx>` on `tile<4xf64>`
    %r3 = divf %h, %h rounding<full> : tile<4xf16> // error[T0302]: `rounding<full>` on `tile<4xf16>`
    %r4 = exp %h rounding<approx> : tile<4xf16> // error[T0302]: `rounding<approx>` on `tile<4xf16>`
    %r5 = tanh %g rounding<approx> : tile<4xf64> // error[T0302]: `rounding<approx>` on `tile<4xf64>`
    %r6 = sqrt %g rounding<approx> flush_to_zero : tile<4xf64> // error[T0302]: `flush_to_zero` on `tile<4xf64>`
// error[T0302]: `rounding<approx>` on `tile<4xf64>`
    %r8 = sqrt %f rounding<full> : tile<4xf32> // error[T0302]: `rounding<full>` is not allowed here
    %r9 = exp %f rounding<zero> : tile<4xf32> // error[T0302]: `rounding<zero>` is not allowed here
    %ra = divi %i, %i signed rounding<nearest_even> : tile<4xi32> // error[T0302]: `rounding<nearest_even>` is not allowed here
    %rd = exp %h : tile<4xf16>
    %re = maxf %h, %h flush_to_zero : tile<4xf16> // error[T0302]: `flush_to_zero` on `tile<4xf16>`
    return
  }
}
