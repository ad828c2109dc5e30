// test: parse
// `mulf`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = mulf %f, %f : tile<4xf32>
    %z = mulf %f, %f rounding<zero> flush_to_zero : tile<4xf32>
    %p = mulf %f, %f flush_to_zero : tile<4xf32>
    return
  }
}
