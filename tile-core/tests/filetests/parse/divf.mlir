// test: parse
// `divf`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = divf %f, %f : tile<4xf32>
    %z = divf %f, %f rounding<zero> flush_to_zero : tile<4xf32>
    %p = divf %f, %f flush_to_zero : tile<4xf32>
    %q = divf %f, %f rounding<full> : tile<4xf32>
    return
  }
}
