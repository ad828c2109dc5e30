// test: parse
// `bitcast`: between types of one width, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %r0 = bitcast %f : tile<f32> -> tile<i32>
    %r1 = bitcast %h : tile<f16> -> tile<bf16>
    %r2 = bitcast %d : tile<f64> -> tile<i64>
    %c = constant <f8E4M3FN: 1.000000e+00> : tile<2x4xf8E4M3FN>
    %r3 = bitcast %c : tile<2x4xf8E4M3FN> -> tile<2x4xf8E5M2>
    %r4 = bitcast %c : tile<2x4xf8E4M3FN> -> tile<2x4xi8>
    %e = constant <tf32: 1.000000e+00> : tile<2x4xtf32>
    %r5 = bitcast %e : tile<2x4xtf32> -> tile<2x4xtf32>
    return
  }
}
