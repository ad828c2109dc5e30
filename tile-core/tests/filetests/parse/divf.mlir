// test: parse
// `divf`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = divf %h, %h : tile<f16>
    %r1 = divf %b, %b : tile<bf16>
    %r2 = divf %f, %f : tile<f32>
    %r3 = divf %d, %d : tile<f64>
    %r4 = divf %m, %m : tile<2x4xf32>
    %r5 = divf %f, %f rounding<zero> : tile<f32>
    %r6 = divf %f, %f rounding<negative_inf> : tile<f32>
    %r7 = divf %f, %f rounding<positive_inf> : tile<f32>
    %r8 = divf %f, %f rounding<approx> : tile<f32>
    %r9 = divf %f, %f rounding<full> : tile<f32>
    %r10 = divf %f, %f flush_to_zero : tile<f32>
    %r11 = divf %f, %f rounding<approx> flush_to_zero : tile<f32>
    %r12 = divf %m, %m rounding<approx> flush_to_zero : tile<2x4xf32>
    return
  }
}
