// test: parse
// `ftoi`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %r = ftoi %f signed : tile<4xf32> -> tile<4xi16>
    %n = ftoi %f unsigned : tile<4xf32> -> tile<4xi16>
    return
  }
}
