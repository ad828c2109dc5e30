// test: parse
// `ftof`: to and from every float; only a conversion to a scale is not rounded to
// nearest.

cuda_tile.module @m {
  entry @k(%f: tile<f32>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = ftof %m : tile<2x4xf32> -> tile<2x4xf16>
    %r1 = ftof %m : tile<2x4xf32> -> tile<2x4xbf16>
    %r2 = ftof %m : tile<2x4xf32> -> tile<2x4xtf32>
    %r3 = ftof %m : tile<2x4xf32> -> tile<2x4xf64>
    %r4 = ftof %m : tile<2x4xf32> -> tile<2x4xf8E4M3FN>
    %r5 = ftof %m : tile<2x4xf32> -> tile<2x4xf8E5M2>
    %r6 = ftof %m : tile<2x4xf32> -> tile<2x4xf4E2M1FN>
    %r7 = ftof %r0 : tile<2x4xf16> -> tile<2x4xf32>
    %r8 = ftof %r1 : tile<2x4xbf16> -> tile<2x4xf32>
    %r9 = ftof %r2 : tile<2x4xtf32> -> tile<2x4xf32>
    %r10 = ftof %r3 : tile<2x4xf64> -> tile<2x4xf32>
    %r11 = ftof %r4 : tile<2x4xf8E4M3FN> -> tile<2x4xf32>
    %r12 = ftof %r5 : tile<2x4xf8E5M2> -> tile<2x4xf32>
    %r13 = ftof %r6 : tile<2x4xf4E2M1FN> -> tile<2x4xf32>
    %r14 = ftof %f rounding<zero> : tile<f32> -> tile<f8E8M0FNU>
    %r15 = ftof %f rounding<positive_inf> : tile<f32> -> tile<f8E8M0FNU>
    %r16 = ftof %r15 : tile<f8E8M0FNU> -> tile<bf16>
    return
  }
}
