// test: parse
// `broadcast`: extents of one become any, of numbers and of pointers.

cuda_tile.module @m {
  entry @k(%f: tile<f32>, %p: tile<ptr<f32>>) {
    %a = constant <f32: 1.000000e+00> : tile<1x4x1xf32>
    %r0 = broadcast %a : tile<1x4x1xf32> -> tile<8x4x2xf32>
    %r1 = broadcast %f : tile<f32> -> tile<f32>
    %q = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %r2 = broadcast %q : tile<1xptr<f32>> -> tile<4xptr<f32>>
    return
  }
}
