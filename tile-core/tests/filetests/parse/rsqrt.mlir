// test: parse
// `rsqrt`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = rsqrt %f : tile<4xf32>
    %z = rsqrt %f flush_to_zero : tile<4xf32>
    return
  }
}
