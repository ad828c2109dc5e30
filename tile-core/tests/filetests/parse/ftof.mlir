// test: parse
// `ftof`: only a conversion to a scale is not rounded to nearest.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = ftof %f : tile<4xf32> -> tile<4xf16>
    %n = ftof %f rounding<zero> : tile<4xf32> -> tile<4xf8E8M0FNU>
    return
  }
}
