// test: parse
// `fpowi`: two types, the result has the first.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>, %t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %n = constant <i32: 7> : tile<2x4xi32>
    %r0 = fpowi %h, %i : tile<f16>, tile<i32>
    %r1 = fpowi %b, %i : tile<bf16>, tile<i32>
    %r2 = fpowi %f, %i : tile<f32>, tile<i32>
    %r3 = fpowi %d, %i : tile<f64>, tile<i32>
    %r4 = fpowi %f, %t : tile<f32>, tile<i1>
    %r5 = fpowi %f, %c : tile<f32>, tile<i8>
    %r6 = fpowi %f, %s : tile<f32>, tile<i16>
    %r7 = fpowi %f, %i : tile<f32>, tile<i32>
    %r8 = fpowi %m, %n : tile<2x4xf32>, tile<2x4xi32>
    return
  }
}
