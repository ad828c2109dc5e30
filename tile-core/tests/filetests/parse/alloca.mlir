// test: parse
// `alloca`: private and global, of every type that can be pointed to.

cuda_tile.module @m {
  entry @k() {
    %r0 = alloca num_elem = 0, alignment = 8 : tile<ptr<i1>>
    %r1 = alloca num_elem = 3, alignment = 16 global : tile<ptr<i8>>
    %r2 = alloca num_elem = 6, alignment = 32 : tile<ptr<i16>>
    %r3 = alloca num_elem = 9, alignment = 64 global : tile<ptr<i32>>
    %r4 = alloca num_elem = 12, alignment = 8 : tile<ptr<i64>>
    %r5 = alloca num_elem = 15, alignment = 16 global : tile<ptr<f16>>
    %r6 = alloca num_elem = 18, alignment = 32 : tile<ptr<bf16>>
    %r7 = alloca num_elem = 21, alignment = 64 global : tile<ptr<f32>>
    %r8 = alloca num_elem = 24, alignment = 8 : tile<ptr<tf32>>
    %r9 = alloca num_elem = 27, alignment = 16 global : tile<ptr<f64>>
    %r10 = alloca num_elem = 30, alignment = 32 : tile<ptr<f8E4M3FN>>
    %r11 = alloca num_elem = 33, alignment = 64 global : tile<ptr<f8E5M2>>
    %r12 = alloca num_elem = 36, alignment = 8 : tile<ptr<f8E8M0FNU>>
    %r13 = alloca num_elem = 39, alignment = 16 global : tile<ptr<f4E2M1FN>>
    return
  }
}
