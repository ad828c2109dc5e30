// test: parse
// `absf`: every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = absf %h : tile<f16>
    %r1 = absf %b : tile<bf16>
    %r2 = absf %f : tile<f32>
    %r3 = absf %d : tile<f64>
    %r4 = absf %m : tile<2x4xf32>
    return
  }
}
