// test: parse
// `int_to_ptr`: rank 0 and 2, to several types.

cuda_tile.module @m {
  entry @k(%l: tile<i64>) {
    %m = constant <i64: 4096> : tile<2x4xi64>
    %r0 = int_to_ptr %l : tile<i64> -> tile<ptr<f32>>
    %r1 = int_to_ptr %l : tile<i64> -> tile<ptr<i1>>
    %r2 = int_to_ptr %m : tile<2x4xi64> -> tile<2x4xptr<f8E8M0FNU>>
    return
  }
}
