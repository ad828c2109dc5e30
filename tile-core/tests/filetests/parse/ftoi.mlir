// test: parse
// `ftoi`: from every float, to every integer.

cuda_tile.module @m {
  entry @k(%f: tile<f32>) {
    %c0 = constant <f16: 1.000000e+00> : tile<2x4xf16>
    %c1 = constant <bf16: 1.000000e+00> : tile<2x4xbf16>
    %c2 = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %c3 = constant <tf32: 1.000000e+00> : tile<2x4xtf32>
    %c4 = constant <f64: 1.000000e+00> : tile<2x4xf64>
    %c5 = constant <f8E4M3FN: 1.000000e+00> : tile<2x4xf8E4M3FN>
    %c6 = constant <f8E5M2: 1.000000e+00> : tile<2x4xf8E5M2>
    %c7 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x4xf8E8M0FNU>
    %c8 = constant <f4E2M1FN: 1.000000e+00> : tile<2x4xf4E2M1FN>
    %r0 = ftoi %c0 signed : tile<2x4xf16> -> tile<2x4xi32>
    %r1 = ftoi %c1 signed : tile<2x4xbf16> -> tile<2x4xi32>
    %r2 = ftoi %c2 signed : tile<2x4xf32> -> tile<2x4xi32>
    %r3 = ftoi %c3 signed : tile<2x4xtf32> -> tile<2x4xi32>
    %r4 = ftoi %c4 signed : tile<2x4xf64> -> tile<2x4xi32>
    %r5 = ftoi %c5 signed : tile<2x4xf8E4M3FN> -> tile<2x4xi32>
    %r6 = ftoi %c6 signed : tile<2x4xf8E5M2> -> tile<2x4xi32>
    %r7 = ftoi %c7 signed : tile<2x4xf8E8M0FNU> -> tile<2x4xi32>
    %r8 = ftoi %c8 signed : tile<2x4xf4E2M1FN> -> tile<2x4xi32>
    %r9 = ftoi %f unsigned : tile<f32> -> tile<i1>
    %r10 = ftoi %f unsigned : tile<f32> -> tile<i8>
    %r11 = ftoi %f unsigned : tile<f32> -> tile<i16>
    %r12 = ftoi %f unsigned : tile<f32> -> tile<i32>
    %r13 = ftoi %f unsigned : tile<f32> -> tile<i64>
    %r14 = ftoi %f signed saturating : tile<f32> -> tile<i8>
    return
  }
}
