// test: parse
// `subf`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = subf %f, %f : tile<4xf32>
    %z = subf %f, %f rounding<zero> flush_to_zero : tile<4xf32>
    %p = subf %f, %f flush_to_zero : tile<4xf32>
    return
  }
}
