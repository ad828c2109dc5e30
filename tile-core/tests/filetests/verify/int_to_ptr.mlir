// test: verify
// Addresses of i64 to pointers of their shape.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %i64_s = constant <i64: 1> : tile<i64>
    %i32 = constant <i32: 1> : tile<4xi32>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %r0 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %r1 = int_to_ptr %i64_s : tile<i64> -> tile<ptr<i1>>
    %r2 = int_to_ptr %i32 : tile<4xi32> -> tile<4xptr<f32>> // error[T0301]: expected `source` to be a tile of i64, found `tile<4xi32>`
    %r3 = int_to_ptr %i64 : tile<4xi64> -> tile<4xi64> // error[T0303]: expected `result` to be a tile of pointers, found `tile<4xi64>`
    %r4 = int_to_ptr %i64 : tile<4xi64> -> tile<8xptr<f32>> // error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r5 = int_to_ptr %i64 : tile<4xi64> -> tile<ptr<f32>> // error[T0303]: expected `result` of shape `(4)`, found `()`
    %r6 = int_to_ptr %p_f32 : tile<4xptr<f32>> -> tile<4xptr<f32>> // error[T0301]: expected `source` to be a tile of i64, found `tile<4xptr<f32>>`
    %r7 = int_to_ptr %f64 : tile<4xf64> -> tile<4xptr<f32>> // error[T0301]: expected `source` to be a tile of i64, found `tile<4xf64>`
    return
  }
}
