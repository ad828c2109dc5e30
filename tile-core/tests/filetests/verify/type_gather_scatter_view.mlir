// test: verify
// Tiles, axes and paddings of gather/scatter views; the first fault in the order of upstream.

cuda_tile.module @m {
  entry @k(
    %a0: gather_scatter_view<tile=(4), tensor_view<8xf32, strides=[1]>, sparse_dim=0>,
    %a1: gather_scatter_view<tile=(4x2), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>,
    %a2: gather_scatter_view<tile=(4x2), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=1>,
    %a3: gather_scatter_view<tile=(4), tensor_view<8xf32, strides=[1]>, sparse_dim=1>, // error[T0306]: `sparse_dim` 1 is no axis of a tensor of rank 1
    %a4: gather_scatter_view<tile=(4x2), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=2>, // error[T0306]: `sparse_dim` 2 is no axis of a tensor of rank 2
    %a5: gather_scatter_view<tile=(), tensor_view<8xf32, strides=[1]>, sparse_dim=0>, // error[T0306]: tile must have at least one dimension
    %a6: gather_scatter_view<tile=(4x4), tensor_view<8xf32, strides=[1]>, sparse_dim=0>, // error[T0306]: expected a tile of the tensor's rank 1, found rank 2
    %a7: gather_scatter_view<tile=(4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, // error[T0306]: expected a tile of the tensor's rank 2, found rank 1
    %a8: gather_scatter_view<tile=(0), tensor_view<8xf32, strides=[1]>, sparse_dim=0>, // error[T0306]: all dimensions must be positive constants, got 0
    %a9: gather_scatter_view<tile=(3), tensor_view<8xf32, strides=[1]>, sparse_dim=0>, // error[T0306]: all dimensions must be powers of two, got 3
    %a10: gather_scatter_view<tile=(4x3), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, // error[T0306]: all dimensions must be powers of two, got 4, 3
    %a11: gather_scatter_view<tile=(4096x4096), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>,
    %a12: gather_scatter_view<tile=(8192x4096), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, // error[T0306]: tile would exceed the maximum of 16777216 elements
    %a13: gather_scatter_view<tile=(1), tensor_view<8xf4E2M1FN, strides=[1]>, sparse_dim=0>, // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %a14: gather_scatter_view<tile=(4), padding_value = zero, tensor_view<8xi32, strides=[1]>, sparse_dim=0>,
    %a15: gather_scatter_view<tile=(4), padding_value = nan, tensor_view<8xi32, strides=[1]>, sparse_dim=0>, // error[T0306]: padding `nan` needs a float element type, found `i32`
    %a16: gather_scatter_view<tile=(4), padding_value = nan, tensor_view<8xf32, strides=[1]>, sparse_dim=0>,
    %a17: gather_scatter_view<tile=(4), tensor_view<0xf32, strides=[1]>, sparse_dim=0>, // error[T0306]: static dimensions must be positive
    %a18: gather_scatter_view<tile=(4), tensor_view<8xi4, strides=[1]>, sparse_dim=0>, // error[T0306]: a tensor cannot hold `i4`
    %a19: gather_scatter_view<tile=(3), tensor_view<8xf32, strides=[1]>, sparse_dim=1>, // error[T0306]: all dimensions must be powers of two, got 3
    %a20: gather_scatter_view<tile=(4x4), tensor_view<8xf32, strides=[1]>, sparse_dim=1>, // error[T0306]: expected a tile of the tensor's rank 1, found rank 2
    %a21: gather_scatter_view<tile=(33554432), tensor_view<8xf32, strides=[1]>, sparse_dim=1>, // error[T0306]: `sparse_dim` 1 is no axis of a tensor of rank 1
    %a22: gather_scatter_view<tile=(4), padding_value = nan, tensor_view<8xi32, strides=[1]>, sparse_dim=1>, // error[T0306]: `sparse_dim` 1 is no axis of a tensor of rank 1
    %a23: gather_scatter_view<tile=(33554432), padding_value = nan, tensor_view<8xi32, strides=[1]>, sparse_dim=0> // error[T0306]: tile would exceed the maximum of 16777216 elements
  ) {
    return
  }
}
