// test: parse
// `offset`: three types, rank 0 and 2, every type of offset.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i64: 4096> : tile<2x4xi64>
    %q = int_to_ptr %m : tile<2x4xi64> -> tile<2x4xptr<i8>>
    %r0 = offset %p, %t : tile<ptr<f32>>, tile<i1> -> tile<ptr<f32>>
    %r1 = offset %p, %c : tile<ptr<f32>>, tile<i8> -> tile<ptr<f32>>
    %r2 = offset %p, %s : tile<ptr<f32>>, tile<i16> -> tile<ptr<f32>>
    %r3 = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %r4 = offset %p, %l : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
    %r5 = offset %q, %m : tile<2x4xptr<i8>>, tile<2x4xi64> -> tile<2x4xptr<i8>>
    return
  }
}
