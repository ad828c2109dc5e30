// test: parse
// `tanh`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = tanh %h : tile<f16>
    %r1 = tanh %b : tile<bf16>
    %r2 = tanh %f : tile<f32>
    %r3 = tanh %d : tile<f64>
    %r4 = tanh %m : tile<2x4xf32>
    %r5 = tanh %f rounding<approx> : tile<f32>
    %r6 = tanh %m rounding<approx> : tile<2x4xf32>
    return
  }
}
