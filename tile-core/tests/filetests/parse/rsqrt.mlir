// test: parse
// `rsqrt`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = rsqrt %h : tile<f16>
    %r1 = rsqrt %b : tile<bf16>
    %r2 = rsqrt %f : tile<f32>
    %r3 = rsqrt %d : tile<f64>
    %r4 = rsqrt %m : tile<2x4xf32>
    %r5 = rsqrt %f flush_to_zero : tile<f32>
    %r6 = rsqrt %m flush_to_zero : tile<2x4xf32>
    return
  }
}
