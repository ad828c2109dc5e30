// test: parse
// `ptr_to_int`: rank 0 and 2.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %m = constant <i64: 4096> : tile<2x4xi64>
    %q = int_to_ptr %m : tile<2x4xi64> -> tile<2x4xptr<bf16>>
    %r0 = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
    %r1 = ptr_to_int %q : tile<2x4xptr<bf16>> -> tile<2x4xi64>
    return
  }
}
