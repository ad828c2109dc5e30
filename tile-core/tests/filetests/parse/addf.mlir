// test: parse
// `addf`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = addf %f, %f : tile<4xf32>
    %z = addf %f, %f rounding<zero> flush_to_zero : tile<4xf32>
    %p = addf %f, %f flush_to_zero : tile<4xf32>
    return
  }
}
