// test: parse
// `cmpf`: every predicate and ordering, every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %m = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %r0 = cmpf equal ordered %f, %f : tile<f32> -> tile<i1>
    %r1 = cmpf equal unordered %f, %f : tile<f32> -> tile<i1>
    %r2 = cmpf not_equal ordered %f, %f : tile<f32> -> tile<i1>
    %r3 = cmpf not_equal unordered %f, %f : tile<f32> -> tile<i1>
    %r4 = cmpf less_than ordered %f, %f : tile<f32> -> tile<i1>
    %r5 = cmpf less_than unordered %f, %f : tile<f32> -> tile<i1>
    %r6 = cmpf less_than_or_equal ordered %f, %f : tile<f32> -> tile<i1>
    %r7 = cmpf less_than_or_equal unordered %f, %f : tile<f32> -> tile<i1>
    %r8 = cmpf greater_than ordered %f, %f : tile<f32> -> tile<i1>
    %r9 = cmpf greater_than unordered %f, %f : tile<f32> -> tile<i1>
    %r10 = cmpf greater_than_or_equal ordered %f, %f : tile<f32> -> tile<i1>
    %r11 = cmpf greater_than_or_equal unordered %f, %f : tile<f32> -> tile<i1>
    %r12 = cmpf equal ordered %h, %h : tile<f16> -> tile<i1>
    %r13 = cmpf equal ordered %b, %b : tile<bf16> -> tile<i1>
    %r14 = cmpf equal ordered %f, %f : tile<f32> -> tile<i1>
    %r15 = cmpf equal ordered %d, %d : tile<f64> -> tile<i1>
    %r16 = cmpf less_than unordered %m, %m : tile<2x4xf32> -> tile<2x4xi1>
    return
  }
}
