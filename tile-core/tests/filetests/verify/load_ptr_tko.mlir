// test: verify
// Orderings and scopes; pointers, mask and padding that fit the loaded tile.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i64_s = constant <i64: 1> : tile<i64>
    %p_i1_s = int_to_ptr %i64_s : tile<i64> -> tile<ptr<i1>>
    %i1 = constant <i1: true> : tile<4xi1>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %p_f4E2M1FN = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f4E2M1FN>>
    %i1_8 = constant <i1: true> : tile<8xi1>
    %i1_s = constant <i1: true> : tile<i1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %t = make_token : token
    %r0, %r1 = load_ptr_tko weak %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token
    %r2, %r3 = load_ptr_tko weak device %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token // error[T0302]: a weak access has a memory scope
    %r4, %r5 = load_ptr_tko weak tl_blk %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token // error[T0302]: a weak access has a memory scope
    %r6, %r7 = load_ptr_tko weak sys %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token // error[T0302]: a weak access has a memory scope
    %r8, %r9 = load_ptr_tko relaxed %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token // error[T0302]: an access that is `relaxed` has no memory scope
    %r10, %r11 = load_ptr_tko relaxed device %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token
    %r12, %r13 = load_ptr_tko relaxed tl_blk %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token
    %r14, %r15 = load_ptr_tko relaxed sys %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token
    %r16, %r17 = load_ptr_tko acquire %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token // error[T0302]: an access that is `acquire` has no memory scope
    %r18, %r19 = load_ptr_tko acquire device %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token
    %r20, %r21 = load_ptr_tko release device %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token // error[T0302]: `release` is not allowed here
    %r22, %r23 = load_ptr_tko acq_rel device %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, token // error[T0302]: `acq_rel` is not allowed here
    %r24, %r25 = load_ptr_tko weak %p_i1_s : tile<ptr<i1>> -> tile<i1>, token
    %r26, %r27 = load_ptr_tko weak %p_f32, %i1 : tile<4xptr<f32>>, tile<4xi1> -> tile<4xf32>, token
    %r28, %r29 = load_ptr_tko weak %p_f32, %i1, %f32 : tile<4xptr<f32>>, tile<4xi1>, tile<4xf32> -> tile<4xf32>, token
    %r30, %r31 = load_ptr_tko weak %p_f32, %i1, %f32 token=%t : tile<4xptr<f32>>, tile<4xi1>, tile<4xf32> -> tile<4xf32>, token
    %r32, %r33 = load_ptr_tko weak %p_f32 token=%t : tile<4xptr<f32>> -> tile<4xf32>, token
    %r34, %r35 = load_ptr_tko weak %p_f4E2M1FN : tile<4xptr<f4E2M1FN>> -> tile<4xf4E2M1FN>, token
    %r36, %r37 = load_ptr_tko weak %p_f32 : tile<4xptr<f32>> -> tile<4xi32>, token // error[T0301]: expected pointers to `i32`, found `tile<4xptr<f32>>`
    %r38, %r39 = load_ptr_tko weak %p_f32 : tile<4xptr<f32>> -> tile<4xptr<f32>>, token // error[T0301]: expected pointers to `ptr<f32>`, found `tile<4xptr<f32>>`
    %r40, %r41 = load_ptr_tko weak %p_f32 : tile<4xptr<f32>> -> tile<8xf32>, token // error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r42, %r43 = load_ptr_tko weak %p_f32 : tile<4xptr<f32>> -> tile<f32>, token // error[T0303]: expected `result` of shape `(4)`, found `()`
    %r44, %r45 = load_ptr_tko weak %f32 : tile<4xf32> -> tile<4xf32>, token // error[T0301]: expected `source` to be a tile of pointers, found `tile<4xf32>`
    %r46, %r47 = load_ptr_tko weak %p_f32, %i1_8 : tile<4xptr<f32>>, tile<8xi1> -> tile<4xf32>, token // error[T0301]: expected `mask` of shape `(4)`, found `(8)`
    %r48, %r49 = load_ptr_tko weak %p_f32, %i1_s : tile<4xptr<f32>>, tile<i1> -> tile<4xf32>, token // error[T0301]: expected `mask` of shape `(4)`, found `()`
    %r50, %r51 = load_ptr_tko weak %p_f32, %i8 : tile<4xptr<f32>>, tile<4xi8> -> tile<4xf32>, token // error[T0301]: expected `mask` to be a tile of i1, found `tile<4xi8>`
    %r52, %r53 = load_ptr_tko weak %p_f32, %i1, %f64 : tile<4xptr<f32>>, tile<4xi1>, tile<4xf64> -> tile<4xf32>, token // error[T0301]: expected `paddingValue` of type `tile<4xf32>`, found `tile<4xf64>`
    %r54, %r55 = load_ptr_tko weak %p_f32, %i1, %f32_s : tile<4xptr<f32>>, tile<4xi1>, tile<f32> -> tile<4xf32>, token // error[T0301]: expected `paddingValue` of type `tile<4xf32>`, found `tile<f32>`
    %r56, %r57 = load_ptr_tko weak %p_f32 token=%f32 : tile<4xptr<f32>> -> tile<4xf32>, token // error[T0301]: expected `token` to be a token, found `tile<4xf32>`
    %r58, %r59 = load_ptr_tko weak %p_f32 : tile<4xptr<f32>> -> tile<4xf32>, tile<4xf32> // error[T0303]: expected `result_token` to be a token, found `tile<4xf32>`
    %r60, %r61 = load_ptr_tko weak %p_f32 : tile<4xptr<f32>> -> token, token // error[T0303]: expected `result` to be a tile, found `token`
    return
  }
}
