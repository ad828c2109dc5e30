// test: verify
// Tiles, strides, maps and paddings of strided views; the first fault in the order of upstream.

cuda_tile.module @m {
  entry @k(
    %a0: strided_view<tile=(4), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>,
    %a1: strided_view<tile=(16), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>,
    %a2: strided_view<tile=(1), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>,
    %a3: strided_view<tile=(4x2), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>>,
    %a4: strided_view<tile=(4x2), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 0]>,
    %a5: strided_view<tile=(4x2x1), traversal_strides=[1,1,1], tensor_view<8x8x8xf32, strides=[64,8,1]>, dim_map=[2, 0, 1]>,
    %a6: strided_view<tile=(4096x4096), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>>,
    %a7: strided_view<tile=(8192x4096), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: tile would exceed the maximum of 16777216 elements
    %a8: strided_view<tile=(16777216), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>,
    %a9: strided_view<tile=(33554432), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>, // error[T0306]: tile would exceed the maximum of 16777216 elements
    %a10: strided_view<tile=(), traversal_strides=[], tensor_view<8xf32, strides=[1]>>, // error[T0306]: tile must have at least one dimension
    %a11: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8xf32, strides=[1]>>, // error[T0306]: expected a tile of the tensor's rank 1, found rank 2
    %a12: strided_view<tile=(4), traversal_strides=[1], tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: expected a tile of the tensor's rank 2, found rank 1
    %a13: strided_view<tile=(0), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>, // error[T0306]: all dimensions must be positive constants, got 0
    %a14: strided_view<tile=(3), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>, // error[T0306]: all dimensions must be powers of two, got 3
    %a15: strided_view<tile=(4x3), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: all dimensions must be powers of two, got 4, 3
    %a16: strided_view<tile=(3x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: all dimensions must be powers of two, got 3, 4
    %a17: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0]>, // error[T0306]: expected `dim_map` to have 2 entries, found 1
    %a18: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 1, 2]>, // error[T0306]: expected `dim_map` to have 2 entries, found 3
    %a19: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 0]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a20: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 1]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a21: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 2]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a22: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[2, 0]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a23: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[-1, 0]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a24: strided_view<tile=(4x4), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, -1]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a25: strided_view<tile=(2), traversal_strides=[1], tensor_view<8xf4E2M1FN, strides=[1]>>,
    %a26: strided_view<tile=(1), traversal_strides=[1], tensor_view<8xf4E2M1FN, strides=[1]>>, // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %a27: strided_view<tile=(1x2), traversal_strides=[1,3], tensor_view<8x8xf4E2M1FN, strides=[8,1]>>,
    %a28: strided_view<tile=(2x1), traversal_strides=[1,3], tensor_view<8x8xf4E2M1FN, strides=[8,1]>>,
    %a29: strided_view<tile=(1x1), traversal_strides=[1,3], tensor_view<8x8xf4E2M1FN, strides=[8,1]>>, // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %a30: strided_view<tile=(4), traversal_strides=[1], padding_value = zero, tensor_view<8xi32, strides=[1]>>,
    %a31: strided_view<tile=(4), traversal_strides=[1], padding_value = neg_zero, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `neg_zero` needs a float element type, found `i32`
    %a32: strided_view<tile=(4), traversal_strides=[1], padding_value = nan, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `nan` needs a float element type, found `i32`
    %a33: strided_view<tile=(4), traversal_strides=[1], padding_value = pos_inf, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `pos_inf` needs a float element type, found `i32`
    %a34: strided_view<tile=(4), traversal_strides=[1], padding_value = neg_inf, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `neg_inf` needs a float element type, found `i32`
    %a35: strided_view<tile=(4), traversal_strides=[1], padding_value = zero, tensor_view<8xf32, strides=[1]>>,
    %a36: strided_view<tile=(4), traversal_strides=[1], padding_value = neg_zero, tensor_view<8xf32, strides=[1]>>,
    %a37: strided_view<tile=(4), traversal_strides=[1], padding_value = nan, tensor_view<8xf32, strides=[1]>>,
    %a38: strided_view<tile=(4), traversal_strides=[1], padding_value = pos_inf, tensor_view<8xf32, strides=[1]>>,
    %a39: strided_view<tile=(4), traversal_strides=[1], padding_value = neg_inf, tensor_view<8xf32, strides=[1]>>,
    %a40: strided_view<tile=(4), traversal_strides=[1], padding_value = nan, tensor_view<8xbf16, strides=[1]>>,
    %a41: strided_view<tile=(4), traversal_strides=[1], padding_value = nan, tensor_view<8xf8E8M0FNU, strides=[1]>>,
    %a42: strided_view<tile=(4), traversal_strides=[1], padding_value = nan, tensor_view<8xf4E2M1FN, strides=[1]>>,
    %a43: strided_view<tile=(4), traversal_strides=[1], tensor_view<8xi4, strides=[1]>>, // error[T0306]: a tensor cannot hold `i4`
    %a44: strided_view<tile=(4), traversal_strides=[1], tensor_view<0xf32, strides=[1]>>, // error[T0306]: static dimensions must be positive
    %a45: strided_view<tile=(3), traversal_strides=[1], tensor_view<0xf32, strides=[1]>>, // error[T0306]: static dimensions must be positive
    %a46: strided_view<tile=(0x0), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>, // error[T0306]: expected a tile of the tensor's rank 1, found rank 2
    %a47: strided_view<tile=(0), traversal_strides=[1], tensor_view<8xf32, strides=[1]>, dim_map=[0, 1]>, // error[T0306]: expected `dim_map` to have 1 entries, found 2
    %a48: strided_view<tile=(0), traversal_strides=[1], tensor_view<8xf32, strides=[1]>, dim_map=[1]>, // error[T0306]: all dimensions must be positive constants, got 0
    %a49: strided_view<tile=(3x0), traversal_strides=[1,3], tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: all dimensions must be positive constants, got 3, 0
    %a50: strided_view<tile=(3), traversal_strides=[1], tensor_view<8xf32, strides=[1]>, dim_map=[1]>, // error[T0306]: all dimensions must be powers of two, got 3
    %a51: strided_view<tile=(33554432), traversal_strides=[1], tensor_view<8xf32, strides=[1]>, dim_map=[1]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 1 axes
    %a52: strided_view<tile=(33554432), traversal_strides=[1], padding_value = nan, tensor_view<8xi32, strides=[1]>>, // error[T0306]: tile would exceed the maximum of 16777216 elements
    %a53: strided_view<tile=(1), traversal_strides=[1], tensor_view<8xf4E2M1FN, strides=[1]>, dim_map=[1]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 1 axes
    %a54: strided_view<tile=(33554432), traversal_strides=[0], tensor_view<8xf32, strides=[1]>>, // error[T0306]: tile would exceed the maximum of 16777216 elements
    %a55: strided_view<tile=(4), traversal_strides=[0], padding_value = nan, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `nan` needs a float element type, found `i32`
    %a56: strided_view<tile=(4), traversal_strides=[0,0], tensor_view<8xf32, strides=[1]>>, // error[T0306]: expected 1 traversal strides, found 2
    %a57: strided_view<tile=(4), traversal_strides=[7], tensor_view<8xf32, strides=[1]>>,
    %a58: strided_view<tile=(4), traversal_strides=[2147483647], tensor_view<8xf32, strides=[1]>>,
    %a59: strided_view<tile=(4), traversal_strides=[0], tensor_view<8xf32, strides=[1]>>, // error[T0306]: traversal strides must be positive
    %a60: strided_view<tile=(4), traversal_strides=[-1], tensor_view<8xf32, strides=[1]>>, // error[T0306]: traversal strides must be positive
    %a61: strided_view<tile=(4x4), traversal_strides=[1,0], tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: traversal strides must be positive
    %a62: strided_view<tile=(4x4), traversal_strides=[1], tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: expected 2 traversal strides, found 1
    %a63: strided_view<tile=(4), traversal_strides=[1,1], tensor_view<8xf32, strides=[1]>>, // error[T0306]: expected 1 traversal strides, found 2
    %a64: strided_view<tile=(3), traversal_strides=[0], tensor_view<8xf32, strides=[1]>>, // error[T0306]: all dimensions must be powers of two, got 3
    %a65: strided_view<tile=(4), traversal_strides=[0], tensor_view<8xf32, strides=[1]>, dim_map=[0, 1]>, // error[T0306]: expected `dim_map` to have 1 entries, found 2
    %a66: strided_view<tile=(4), traversal_strides=[1,1], tensor_view<8xf32, strides=[1]>, dim_map=[0, 1]>, // error[T0306]: expected `dim_map` to have 1 entries, found 2
    %a67: strided_view<tile=(4), traversal_strides=[0], tensor_view<8xf32, strides=[1]>, dim_map=[1]> // error[T0306]: `dim_map` must be a permutation of the tensor's 1 axes
  ) {
    return
  }
}
