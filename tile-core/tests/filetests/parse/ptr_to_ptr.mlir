// test: parse
// `ptr_to_ptr`: a pointer to every type that can be pointed to, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %r0 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i1>>
    %r1 = ptr_to_ptr %r0 : tile<ptr<i1>> -> tile<ptr<i8>>
    %r2 = ptr_to_ptr %r1 : tile<ptr<i8>> -> tile<ptr<i16>>
    %r3 = ptr_to_ptr %r2 : tile<ptr<i16>> -> tile<ptr<i32>>
    %r4 = ptr_to_ptr %r3 : tile<ptr<i32>> -> tile<ptr<i64>>
    %r5 = ptr_to_ptr %r4 : tile<ptr<i64>> -> tile<ptr<f16>>
    %r6 = ptr_to_ptr %r5 : tile<ptr<f16>> -> tile<ptr<bf16>>
    %r7 = ptr_to_ptr %r6 : tile<ptr<bf16>> -> tile<ptr<f32>>
    %r8 = ptr_to_ptr %r7 : tile<ptr<f32>> -> tile<ptr<tf32>>
    %r9 = ptr_to_ptr %r8 : tile<ptr<tf32>> -> tile<ptr<f64>>
    %r10 = ptr_to_ptr %r9 : tile<ptr<f64>> -> tile<ptr<f8E4M3FN>>
    %r11 = ptr_to_ptr %r10 : tile<ptr<f8E4M3FN>> -> tile<ptr<f8E5M2>>
    %r12 = ptr_to_ptr %r11 : tile<ptr<f8E5M2>> -> tile<ptr<f8E8M0FNU>>
    %r13 = ptr_to_ptr %r12 : tile<ptr<f8E8M0FNU>> -> tile<ptr<f4E2M1FN>>
    %m = constant <i64: 4096> : tile<2x4xi64>
    %q = int_to_ptr %m : tile<2x4xi64> -> tile<2x4xptr<i8>>
    %s = ptr_to_ptr %q : tile<2x4xptr<i8>> -> tile<2x4xptr<i64>>
    return
  }
}
