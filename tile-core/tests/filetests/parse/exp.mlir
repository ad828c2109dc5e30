// test: parse
// `exp`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = exp %h : tile<f16>
    %r1 = exp %b : tile<bf16>
    %r2 = exp %f : tile<f32>
    %r3 = exp %d : tile<f64>
    %r4 = exp %m : tile<2x4xf32>
    %r5 = exp %f rounding<approx> : tile<f32>
    %r6 = exp %m rounding<approx> : tile<2x4xf32>
    return
  }
}
