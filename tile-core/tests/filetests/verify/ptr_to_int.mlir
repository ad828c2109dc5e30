// test: verify
// Pointers to addresses of i64 and their shape.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i64_s = constant <i64: 1> : tile<i64>
    %p_i1_s = int_to_ptr %i64_s : tile<i64> -> tile<ptr<i1>>
    %r0 = ptr_to_int %p_f32 : tile<4xptr<f32>> -> tile<4xi64>
    %r1 = ptr_to_int %p_i1_s : tile<ptr<i1>> -> tile<i64>
    %r2 = ptr_to_int %p_f32 : tile<4xptr<f32>> -> tile<4xi32> // error[T0303]: expected `result` to be a tile of i64, found `tile<4xi32>`
    %r3 = ptr_to_int %i64 : tile<4xi64> -> tile<4xi64> // error[T0301]: expected `source` to be a tile of pointers, found `tile<4xi64>`
    %r4 = ptr_to_int %p_f32 : tile<4xptr<f32>> -> tile<8xi64> // error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r5 = ptr_to_int %p_f32 : tile<4xptr<f32>> -> tile<i64> // error[T0303]: expected `result` of shape `(4)`, found `()`
    %r6 = ptr_to_int %p_f32 : tile<4xptr<f32>> -> tile<4xptr<f32>> // error[T0303]: expected `result` to be a tile of i64, found `tile<4xptr<f32>>`
    return
  }
}
