// test: parse
// `exp2`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = exp2 %h : tile<f16>
    %r1 = exp2 %b : tile<bf16>
    %r2 = exp2 %f : tile<f32>
    %r3 = exp2 %d : tile<f64>
    %r4 = exp2 %m : tile<2x4xf32>
    %r5 = exp2 %f flush_to_zero : tile<f32>
    %r6 = exp2 %m flush_to_zero : tile<2x4xf32>
    return
  }
}
