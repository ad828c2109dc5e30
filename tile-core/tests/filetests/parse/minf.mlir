// test: parse
// `minf`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = minf %h, %h : tile<f16>
    %r1 = minf %b, %b : tile<bf16>
    %r2 = minf %f, %f : tile<f32>
    %r3 = minf %d, %d : tile<f64>
    %r4 = minf %m, %m : tile<2x4xf32>
    %r5 = minf %f, %f flush_to_zero : tile<f32>
    %r6 = minf %f, %f propagate_nan : tile<f32>
    %r7 = minf %f, %f flush_to_zero propagate_nan : tile<f32>
    %r8 = minf %m, %m flush_to_zero propagate_nan : tile<2x4xf32>
    return
  }
}
