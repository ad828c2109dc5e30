// test: verify
// Tiles, indices and scopes of accesses; operands of views.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>
    %x = constant <f32: 1.0> : tile<16x32xf32>
    %y = constant <f32: 1.0> : tile<32x16xf32>
    %q = iota : tile<2xi32>
    %a0, %t0 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x16xf32>, token // error[T0303]: expected a tile `tile<16x32xf32>`, found `tile<32x16xf32>`
    %a1, %t1 = load_view_tko weak %pv[%n] : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0301]: expected 2 indices, found 1
    %a2, %t2 = load_view_tko weak %pv[%n, %l] : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32>, tile<i64> -> tile<16x32xf32>, token // error[T0301]: expected an index `tile<i32>`, found `tile<i64>`
    %a3, %t3 = load_view_tko weak %pv[%q, %q] : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<2xi32> -> tile<16x32xf32>, token // error[T0301]: expected a rank-0 index, found `tile<2xi32>`
// error[T0301]: expected a rank-0 index, found `tile<2xi32>`
    %a5, %t5 = load_view_tko acquire %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0302]: an access that is `acquire` has no memory scope
    %a6, %t6 = load_view_tko release device %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token // error[T0302]: `release` is not allowed here
    %t7 = store_view_tko weak %y, %pv[%n, %n] : tile<32x16xf32>, partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected a tile `tile<16x32xf32>`, found `tile<32x16xf32>`
    %t8 = store_view_tko acquire device %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: `acquire` is not allowed here
    %t9 = store_view_tko relaxed %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0302]: an access that is `relaxed` has no memory scope
    %ta = store_view_tko weak %x, %pv[%n, %n] token = %n : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token // error[T0301]: expected `token` to be a token, found `tile<i32>`
    %tb = store_view_tko weak %x, %pv[] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>> -> token // error[T0301]: expected 2 indices, found 0
    %v0 = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[?,1]>> // error[T0301]: expected `tensor_view<?x64xf32, strides=[?,1]>`, found `tensor_view<?x64xf32, strides=[64,1]>`
    %v1 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf64, strides=[1]> // error[T0301]: expected a pointer to `f64`, found `tile<ptr<f32>>`
    %v2 = make_tensor_view %p, shape = [%n, %l], strides = [%l, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]> // error[T0301]: expected `tile<i32>`, found `tile<i64>`
// error[T0301]: expected `tile<i32>`, found `tile<i64>`
    %d0, %d1 = get_tensor_shape %tv : tensor_view<?x64xf32, strides=[64,1]> -> tile<2xi32> // error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<2xi32>`
// error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<2xi32>`
    %e0, %e1 = get_index_space_shape %pv : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>> -> tile<f32> // error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<f32>`
// error[T0303]: expected `result` to be a rank-0 tile of integers, found `tile<f32>`
    return
  }
}
