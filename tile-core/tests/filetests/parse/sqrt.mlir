// test: parse
// `sqrt`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = sqrt %h : tile<f16>
    %r1 = sqrt %b : tile<bf16>
    %r2 = sqrt %f : tile<f32>
    %r3 = sqrt %d : tile<f64>
    %r4 = sqrt %m : tile<2x4xf32>
    %r5 = sqrt %f rounding<zero> : tile<f32>
    %r6 = sqrt %f rounding<negative_inf> : tile<f32>
    %r7 = sqrt %f rounding<positive_inf> : tile<f32>
    %r8 = sqrt %f rounding<approx> : tile<f32>
    %r9 = sqrt %f flush_to_zero : tile<f32>
    %r10 = sqrt %f rounding<zero> flush_to_zero : tile<f32>
    %r11 = sqrt %m rounding<zero> flush_to_zero : tile<2x4xf32>
    return
  }
}
