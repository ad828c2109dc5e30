// test: verify
// Limits of types are reported where a value is defined, and once.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %u: tile<i32>, %v: tile<ptr<i4>>, %w: i32, %z: ptr<f32>) { // error[T0306]: a pointer cannot point to `i4`
    %a = iota : tile<3xi32> // error[T0306]: all dimensions must be powers of two, got 3
    %b = iota : tile<0xi32> // error[T0306]: all dimensions must be positive constants, got 0
    %c = iota : tile<33554432xi32> // error[T0306]: tile would exceed the maximum of 16777216 elements
    %d = addi %a, %a : tile<3xi32> // error[T0306]: all dimensions must be powers of two, got 3
    %e = constant <f4E2M1FN: 1.0> : tile<1xf4E2M1FN> // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %f = make_tensor_view %p, shape = [4, 4], strides = [1] : tensor_view<4x4xf32, strides=[1]> // error[T0306]: expected strides and shape to have the same rank, got 1 and 2
    %g = make_tensor_view %p, shape = [0], strides = [1] : tensor_view<0xf32, strides=[1]> // error[T0306]: static dimensions must be positive
    %h = make_tensor_view %p, shape = [4], strides = [-1] : tensor_view<4xf32, strides=[-1]> // error[T0306]: static strides must be positive
    %t = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %i = make_partition_view %t : partition_view<tile=(), tensor_view<4xf32, strides=[1]>> // error[T0306]: tile must have at least one dimension
    %j = make_partition_view %t : partition_view<tile=(4x4), tensor_view<4xf32, strides=[1]>> // error[T0306]: expected a tile of the tensor's rank 1, found rank 2
    %k = make_partition_view %t : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>, dim_map=[0, 1]> // error[T0306]: expected `dim_map` to have 1 entries, found 2
    %l = make_partition_view %t : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>, dim_map=[1]> // error[T0306]: `dim_map` must be a permutation of the tensor's 1 axes
    %m = make_partition_view %t : partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[1, 1]> // error[T0306]: `dim_map` must be a permutation of the tensor's 2 axes
    %n = make_partition_view %t : partition_view<tile=(3), tensor_view<4xf32, strides=[1]>> // error[T0306]: all dimensions must be powers of two, got 3
    %o = make_partition_view %t : partition_view<tile=(4), padding_value = nan, tensor_view<4xi32, strides=[1]>> // error[T0306]: padding `nan` needs a float element type, found `i32`
    %q = make_partition_view %t : partition_view<tile=(1), tensor_view<4xf4E2M1FN, strides=[1]>> // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
    %r = make_partition_view %t : partition_view<tile=(4), tensor_view<4xi4, strides=[1]>> // error[T0306]: a tensor cannot hold `i4`
    %s = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xi4, strides=[1]> // error[T0306]: a tensor cannot hold `i4`
    for %x in (%u to %u, step %u) : tile<i32> iter_values(%y = %u) -> (tile<5xi32>) { // error[T0306]: all dimensions must be powers of two, got 5
// error[T0306]: all dimensions must be powers of two, got 5
      continue %y : tile<5xi32>
    }
    return
  }
}
