// test: parse
// `pow`: every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = pow %h, %h : tile<f16>
    %r1 = pow %b, %b : tile<bf16>
    %r2 = pow %f, %f : tile<f32>
    %r3 = pow %d, %d : tile<f64>
    %r4 = pow %m, %m : tile<2x4xf32>
    return
  }
}
