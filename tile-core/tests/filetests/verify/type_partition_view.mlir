// test: verify
// Tiles, maps and paddings of partition views; the first fault in the order of upstream.

cuda_tile.module @m {
  entry @k(
    %a0: partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>,
    %a1: partition_view<tile=(16), tensor_view<8xf32, strides=[1]>>,
    %a2: partition_view<tile=(1), tensor_view<8xf32, strides=[1]>>,
    %a3: partition_view<tile=(4x2), tensor_view<8x8xf32, strides=[8,1]>>,
    %a4: partition_view<tile=(4x2), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 0]>,
    %a5: partition_view<tile=(4x2x1), tensor_view<8x8x8xf32, strides=[64,8,1]>, dim_map=[2, 0, 1]>,
    %a6: partition_view<tile=(4096x4096), tensor_view<8x8xf32, strides=[8,1]>>,
    %a7: partition_view<tile=(8192x4096), tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: tile would exceed the maximum of 16777216 elements
    %a8: partition_view<tile=(16777216), tensor_view<8xf32, strides=[1]>>,
    %a9: partition_view<tile=(33554432), tensor_view<8xf32, strides=[1]>>, // error[T0306]: tile would exceed the maximum of 16777216 elements
    %a10: partition_view<tile=(), tensor_view<8xf32, strides=[1]>>, // error[T0306]: tile must have at least one dimension
    %a11: partition_view<tile=(4x4), tensor_view<8xf32, strides=[1]>>, // error[T0306]: expected a tile of the tensor's rank 1, found rank 2
    %a12: partition_view<tile=(4), tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: expected a tile of the tensor's rank 2, found rank 1
    %a13: partition_view<tile=(0), tensor_view<8xf32, strides=[1]>>, // error[T0306]: all dimensions must be positive constants, got 0
    %a14: partition_view<tile=(3), tensor_view<8xf32, strides=[1]>>, // error[T0306]: all dimensions must be powers of two, got 3
    %a15: partition_view<tile=(4x3), tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: all dimensions must be powers of two, got 4, 3
    %a16: partition_view<tile=(3x4), tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: all dimensions must be powers of two, got 3, 4
    %a17: partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0]>, // error[T0306]: expected `dim_map` to have 2 entries, found 1
    %a18: partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 1, 2]>, // error[T0306]: expected `dim_map` to have 2 entries, found 3
    %a19: partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 0]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a20: partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 1]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a21: partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 2]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a22: partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[2, 0]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a23: partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[-1, 0]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a24: partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, -1]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %a25: partition_view<tile=(2), tensor_view<8xf4E2M1FN, strides=[1]>>,
    %a26: partition_view<tile=(1), tensor_view<8xf4E2M1FN, strides=[1]>>, // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %a27: partition_view<tile=(1x2), tensor_view<8x8xf4E2M1FN, strides=[8,1]>>,
    %a28: partition_view<tile=(2x1), tensor_view<8x8xf4E2M1FN, strides=[8,1]>>,
    %a29: partition_view<tile=(1x1), tensor_view<8x8xf4E2M1FN, strides=[8,1]>>, // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %a30: partition_view<tile=(4), padding_value = zero, tensor_view<8xi32, strides=[1]>>,
    %a31: partition_view<tile=(4), padding_value = neg_zero, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `neg_zero` needs a float element type, found `i32`
    %a32: partition_view<tile=(4), padding_value = nan, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `nan` needs a float element type, found `i32`
    %a33: partition_view<tile=(4), padding_value = pos_inf, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `pos_inf` needs a float element type, found `i32`
    %a34: partition_view<tile=(4), padding_value = neg_inf, tensor_view<8xi32, strides=[1]>>, // error[T0306]: padding `neg_inf` needs a float element type, found `i32`
    %a35: partition_view<tile=(4), padding_value = zero, tensor_view<8xf32, strides=[1]>>,
    %a36: partition_view<tile=(4), padding_value = neg_zero, tensor_view<8xf32, strides=[1]>>,
    %a37: partition_view<tile=(4), padding_value = nan, tensor_view<8xf32, strides=[1]>>,
    %a38: partition_view<tile=(4), padding_value = pos_inf, tensor_view<8xf32, strides=[1]>>,
    %a39: partition_view<tile=(4), padding_value = neg_inf, tensor_view<8xf32, strides=[1]>>,
    %a40: partition_view<tile=(4), padding_value = nan, tensor_view<8xbf16, strides=[1]>>,
    %a41: partition_view<tile=(4), padding_value = nan, tensor_view<8xf8E8M0FNU, strides=[1]>>,
    %a42: partition_view<tile=(4), padding_value = nan, tensor_view<8xf4E2M1FN, strides=[1]>>,
    %a43: partition_view<tile=(4), tensor_view<8xi4, strides=[1]>>, // error[T0306]: a tensor cannot hold `i4`
    %a44: partition_view<tile=(4), tensor_view<0xf32, strides=[1]>>, // error[T0306]: static dimensions must be positive
    %a45: partition_view<tile=(3), tensor_view<0xf32, strides=[1]>>, // error[T0306]: static dimensions must be positive
    %a46: partition_view<tile=(0x0), tensor_view<8xf32, strides=[1]>>, // error[T0306]: expected a tile of the tensor's rank 1, found rank 2
    %a47: partition_view<tile=(0), tensor_view<8xf32, strides=[1]>, dim_map=[0, 1]>, // error[T0306]: expected `dim_map` to have 1 entries, found 2
    %a48: partition_view<tile=(0), tensor_view<8xf32, strides=[1]>, dim_map=[1]>, // error[T0306]: all dimensions must be positive constants, got 0
    %a49: partition_view<tile=(3x0), tensor_view<8x8xf32, strides=[8,1]>>, // error[T0306]: all dimensions must be positive constants, got 3, 0
    %a50: partition_view<tile=(3), tensor_view<8xf32, strides=[1]>, dim_map=[1]>, // error[T0306]: all dimensions must be powers of two, got 3
    %a51: partition_view<tile=(33554432), tensor_view<8xf32, strides=[1]>, dim_map=[1]>, // error[T0306]: `dim_map` must be a permutation of the tensor's 1 axes
    %a52: partition_view<tile=(33554432), padding_value = nan, tensor_view<8xi32, strides=[1]>>, // error[T0306]: tile would exceed the maximum of 16777216 elements
    %a53: partition_view<tile=(1), tensor_view<8xf4E2M1FN, strides=[1]>, dim_map=[1]> // error[T0306]: `dim_map` must be a permutation of the tensor's 1 axes
  ) {
    return
  }
}
