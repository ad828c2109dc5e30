// test: verify
// An alignment that is a power of two and not below the size of an element.

cuda_tile.module @m {
  entry @k() {
    %r0 = alloca num_elem = 4, alignment = 1 : tile<ptr<i1>>
    %r1 = alloca num_elem = 4, alignment = 0 : tile<ptr<i1>> // error[T0302]: expected an alignment that is a power of two, found 0
    %r2 = alloca num_elem = 4, alignment = 1 : tile<ptr<i8>>
    %r3 = alloca num_elem = 4, alignment = 1 : tile<ptr<i16>> // error[T0302]: expected an alignment of 2 or more, found 1
    %r4 = alloca num_elem = 4, alignment = 2 : tile<ptr<i16>>
    %r5 = alloca num_elem = 4, alignment = 1 : tile<ptr<f16>> // error[T0302]: expected an alignment of 2 or more, found 1
    %r6 = alloca num_elem = 4, alignment = 2 : tile<ptr<bf16>>
    %r7 = alloca num_elem = 4, alignment = 1 : tile<ptr<f4E2M1FN>>
    %r8 = alloca num_elem = 4, alignment = 1 : tile<ptr<f8E5M2>>
    %r9 = alloca num_elem = 4, alignment = 1 : tile<ptr<tf32>> // error[T0302]: expected an alignment of 2 or more, found 1
    %r10 = alloca num_elem = 4, alignment = 2 : tile<ptr<tf32>>
    %r11 = alloca num_elem = 4, alignment = 2 : tile<ptr<f32>> // error[T0302]: expected an alignment of 4 or more, found 2
    %r12 = alloca num_elem = 4, alignment = 4 : tile<ptr<f32>>
    %r13 = alloca num_elem = 4, alignment = 3 : tile<ptr<f32>> // error[T0302]: expected an alignment that is a power of two, found 3
    %r14 = alloca num_elem = 4, alignment = 4 : tile<ptr<i64>> // error[T0302]: expected an alignment of 8 or more, found 4
    %r15 = alloca num_elem = 4, alignment = 8 : tile<ptr<f64>>
    %r16 = alloca num_elem = 4, alignment = 12 : tile<ptr<f64>> // error[T0302]: expected an alignment that is a power of two, found 12
    %r17 = alloca num_elem = 4, alignment = 4611686018427387904 : tile<ptr<f64>>
    %r18 = alloca num_elem = 0, alignment = 4 : tile<ptr<f32>>
    %r19 = alloca num_elem = 3, alignment = 4 global : tile<ptr<f32>>
    %r20 = alloca num_elem = -1, alignment = 4 : tile<ptr<f32>> // error[T0302]: expected `num_elem` not to be negative, found -1
    %r21 = alloca num_elem = 1, alignment = -4 : tile<ptr<f32>> // error[T0302]: expected `alignment` not to be negative, found -4
    %r22 = alloca num_elem = 1, alignment = 4 : tile<f32> // error[T0303]: expected `result` to be a rank-0 tile of pointers, found `tile<f32>`
    %r23 = alloca num_elem = 1, alignment = 4 : tile<2xptr<f32>> // error[T0303]: expected `result` to be a rank-0 tile of pointers, found `tile<2xptr<f32>>`
    return
  }
}
