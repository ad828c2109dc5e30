// test: verify
// Orderings and scopes; pointers and mask that fit the stored tile.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %i64_s = constant <i64: 1> : tile<i64>
    %p_i1_s = int_to_ptr %i64_s : tile<i64> -> tile<ptr<i1>>
    %i1_s = constant <i1: true> : tile<i1>
    %i1 = constant <i1: true> : tile<4xi1>
    %i32 = constant <i32: 1> : tile<4xi32>
    %p_i8 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i8>>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %f32_8 = constant <f32: 1.0> : tile<8xf32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i1_8 = constant <i1: true> : tile<8xi1>
    %t = make_token : token
    %r0 = store_ptr_tko weak %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token
    %r1 = store_ptr_tko weak device %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token // error[T0302]: a weak access has a memory scope
    %r2 = store_ptr_tko weak tl_blk %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token // error[T0302]: a weak access has a memory scope
    %r3 = store_ptr_tko weak sys %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token // error[T0302]: a weak access has a memory scope
    %r4 = store_ptr_tko relaxed %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token // error[T0302]: an access that is `relaxed` has no memory scope
    %r5 = store_ptr_tko relaxed device %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token
    %r6 = store_ptr_tko relaxed tl_blk %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token
    %r7 = store_ptr_tko relaxed sys %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token
    %r8 = store_ptr_tko acquire device %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token // error[T0302]: `acquire` is not allowed here
    %r9 = store_ptr_tko release %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token // error[T0302]: an access that is `release` has no memory scope
    %r10 = store_ptr_tko release device %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token
    %r11 = store_ptr_tko acq_rel device %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> token // error[T0302]: `acq_rel` is not allowed here
    %r12 = store_ptr_tko weak %p_i1_s, %i1_s : tile<ptr<i1>>, tile<i1> -> token
    %r13 = store_ptr_tko weak %p_f32, %f32, %i1 : tile<4xptr<f32>>, tile<4xf32>, tile<4xi1> -> token
    %r14 = store_ptr_tko weak %p_f32, %f32, %i1 token=%t : tile<4xptr<f32>>, tile<4xf32>, tile<4xi1> -> token
    %r15 = store_ptr_tko weak %p_f32, %f32 token=%t : tile<4xptr<f32>>, tile<4xf32> -> token
    %r16 = store_ptr_tko weak %p_f32, %i32 : tile<4xptr<f32>>, tile<4xi32> -> token // error[T0301]: expected pointers to `i32`, found `tile<4xptr<f32>>`
    %r17 = store_ptr_tko weak %p_f32, %p_f32 : tile<4xptr<f32>>, tile<4xptr<f32>> -> token // error[T0301]: expected pointers to `ptr<f32>`, found `tile<4xptr<f32>>`
    %r18 = store_ptr_tko weak %p_i8, %i4 : tile<4xptr<i8>>, tile<4xi4> -> token // error[T0301]: expected pointers to `i4`, found `tile<4xptr<i8>>`
    %r19 = store_ptr_tko weak %p_f32, %f32_8 : tile<4xptr<f32>>, tile<8xf32> -> token // error[T0301]: expected `value` of shape `(4)`, found `(8)`
    %r20 = store_ptr_tko weak %p_f32, %f32_s : tile<4xptr<f32>>, tile<f32> -> token // error[T0301]: expected `value` of shape `(4)`, found `()`
    %r21 = store_ptr_tko weak %f32, %f32 : tile<4xf32>, tile<4xf32> -> token // error[T0301]: expected `destination` to be a tile of pointers, found `tile<4xf32>`
    %r22 = store_ptr_tko weak %p_f32, %f32, %i1_8 : tile<4xptr<f32>>, tile<4xf32>, tile<8xi1> -> token // error[T0301]: expected `mask` of shape `(4)`, found `(8)`
    %r23 = store_ptr_tko weak %p_f32, %f32, %i8 : tile<4xptr<f32>>, tile<4xf32>, tile<4xi8> -> token // error[T0301]: expected `mask` to be a tile of i1, found `tile<4xi8>`
    %r24 = store_ptr_tko weak %p_f32, %f32 token=%f32 : tile<4xptr<f32>>, tile<4xf32> -> token // error[T0301]: expected `token` to be a token, found `tile<4xf32>`
    %r25 = store_ptr_tko weak %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32> // error[T0303]: expected `result_token` to be a token, found `tile<4xf32>`
    %r26 = store_ptr_tko weak %p_f32, %t : tile<4xptr<f32>>, token -> token // error[T0301]: expected `value` to be a tile, found `token`
    return
  }
}
