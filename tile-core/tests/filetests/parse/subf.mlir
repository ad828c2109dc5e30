// test: parse
// `subf`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = subf %h, %h : tile<f16>
    %r1 = subf %b, %b : tile<bf16>
    %r2 = subf %f, %f : tile<f32>
    %r3 = subf %d, %d : tile<f64>
    %r4 = subf %m, %m : tile<2x4xf32>
    %r5 = subf %f, %f rounding<zero> : tile<f32>
    %r6 = subf %f, %f rounding<negative_inf> : tile<f32>
    %r7 = subf %f, %f rounding<positive_inf> : tile<f32>
    %r8 = subf %f, %f flush_to_zero : tile<f32>
    %r9 = subf %f, %f rounding<zero> flush_to_zero : tile<f32>
    %r10 = subf %m, %m rounding<zero> flush_to_zero : tile<2x4xf32>
    return
  }
}
