// test: parse
// `bitcast`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = bitcast %f : tile<4xf32> -> tile<4xi32>
    return
  }
}
