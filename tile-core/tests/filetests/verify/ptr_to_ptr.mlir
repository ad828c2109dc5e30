// test: verify
// Pointers to pointers of their shape.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i64_s = constant <i64: 1> : tile<i64>
    %p_f4E2M1FN_s = int_to_ptr %i64_s : tile<i64> -> tile<ptr<f4E2M1FN>>
    %r0 = ptr_to_ptr %p_f32 : tile<4xptr<f32>> -> tile<4xptr<i8>>
    %r1 = ptr_to_ptr %p_f32 : tile<4xptr<f32>> -> tile<4xptr<f32>>
    %r2 = ptr_to_ptr %p_f4E2M1FN_s : tile<ptr<f4E2M1FN>> -> tile<ptr<i1>>
    %r3 = ptr_to_ptr %p_f32 : tile<4xptr<f32>> -> tile<8xptr<i8>> // error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r4 = ptr_to_ptr %p_f32 : tile<4xptr<f32>> -> tile<4xi64> // error[T0303]: expected `result` to be a tile of pointers, found `tile<4xi64>`
    %r5 = ptr_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>> // error[T0301]: expected `source` to be a tile of pointers, found `tile<4xi64>`
    return
  }
}
