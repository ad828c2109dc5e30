// test: verify
// Rank 2 or more, a permutation, and the extents that follow.

cuda_tile.module @m {
  entry @k() {
    %f32_2x4 = constant <f32: 1.0> : tile<2x4xf32>
    %f32_2x4x8 = constant <f32: 1.0> : tile<2x4x8xf32>
    %i64_2x4 = constant <i64: 1> : tile<2x4xi64>
    %p_f32_2x4 = int_to_ptr %i64_2x4 : tile<2x4xi64> -> tile<2x4xptr<f32>>
    %f32_4 = constant <f32: 1.0> : tile<4xf32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %r0 = permute %f32_2x4 [1, 0] : tile<2x4xf32> -> tile<4x2xf32>
    %r1 = permute %f32_2x4 [0, 1] : tile<2x4xf32> -> tile<2x4xf32>
    %r2 = permute %f32_2x4x8 [2, 0, 1] : tile<2x4x8xf32> -> tile<8x2x4xf32>
    %r3 = permute %p_f32_2x4 [1, 0] : tile<2x4xptr<f32>> -> tile<4x2xptr<f32>>
    %r4 = permute %f32_2x4x8 [2, 0, 1] : tile<2x4x8xf32> -> tile<4x8x2xf32> // error[T0303]: expected a result of shape (8, 2, 4), found (4, 8, 2)
    %r5 = permute %f32_2x4 [1, 0] : tile<2x4xf32> -> tile<2x4xf32> // error[T0303]: expected a result of shape (4, 2), found (2, 4)
    %r6 = permute %f32_2x4 [1, 0] : tile<2x4xf32> -> tile<4x2xf64> // error[T0303]: expected `result` of element type `f32`, found `f64`
    %r7 = permute %f32_4 [0] : tile<4xf32> -> tile<4xf32> // error[T0301]: expected rank 2 or more, found rank 1
    %r8 = permute %f32_s [] : tile<f32> -> tile<f32> // error[T0301]: expected rank 2 or more, found rank 0
    %r9 = permute %f32_2x4 [0] : tile<2x4xf32> -> tile<2x4xf32> // error[T0302]: (0) is no permutation of 2 axes
    %r10 = permute %f32_2x4 [1, 0, 2] : tile<2x4xf32> -> tile<4x2xf32> // error[T0302]: (1, 0, 2) is no permutation of 2 axes
    %r11 = permute %f32_2x4 [1, 1] : tile<2x4xf32> -> tile<4x4xf32> // error[T0302]: (1, 1) is no permutation of 2 axes
    %r12 = permute %f32_2x4 [0, 2] : tile<2x4xf32> -> tile<2x4xf32> // error[T0302]: (0, 2) is no permutation of 2 axes
    %r13 = permute %f32_2x4 [0, -1] : tile<2x4xf32> -> tile<2x4xf32> // error[T0302]: (0, -1) is no permutation of 2 axes
    %r14 = permute %f32_2x4 [1, 0] : tile<2x4xf32> -> tile<4x2x1xf32> // error[T0303]: expected a result of shape (4, 2), found (4, 2, 1)
    %r15 = permute %f32_2x4 [1, 0] : tile<2x4xf32> -> tile<4xf32> // error[T0303]: expected a result of shape (4, 2), found (4)
    return
  }
}
