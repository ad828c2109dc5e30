// test: parse
// `extract`: an index per axis, none for rank 0.

cuda_tile.module @m {
  entry @k(%f: tile<f32>, %n: tile<i32>) {
    %a = constant <f32: 1.000000e+00> : tile<8x4xf32>
    %r0 = extract %a[%n, %n] : tile<8x4xf32> -> tile<2x4xf32>
    %r1 = extract %f[] : tile<f32> -> tile<f32>
    %i = iota : tile<16xi8>
    %r2 = extract %i[%n] : tile<16xi8> -> tile<1xi8>
    return
  }
}
