// test: parse
// `reshape`: from and to rank 0, of numbers and of pointers.

cuda_tile.module @m {
  entry @k(%f: tile<f32>, %p: tile<ptr<f32>>) {
    %a = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %r0 = reshape %a : tile<2x4xf32> -> tile<8x1xf32>
    %r1 = reshape %f : tile<f32> -> tile<1x1xf32>
    %r2 = reshape %r1 : tile<1x1xf32> -> tile<f32>
    %r3 = reshape %p : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    return
  }
}
