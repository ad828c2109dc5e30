// test: parse
// `minf`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = minf %f, %f : tile<4xf32>
    %z = minf %f, %f flush_to_zero propagate_nan : tile<4xf32>
    %p = minf %f, %f propagate_nan : tile<4xf32>
    return
  }
}
