// test: parse
// `sinh`: every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = sinh %h : tile<f16>
    %r1 = sinh %b : tile<bf16>
    %r2 = sinh %f : tile<f32>
    %r3 = sinh %d : tile<f64>
    %r4 = sinh %m : tile<2x4xf32>
    return
  }
}
