// test: parse
// `tanh`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = tanh %f : tile<4xf32>
    %a = tanh %f rounding<approx> : tile<4xf32>
    return
  }
}
