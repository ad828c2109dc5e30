// test: run
// arg: f32[512] small
// arg: f32[512] small
// arg: f32[1024] small
// arg: f32[1024] zeros
// f32 by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>, tile<i32> -> tile<16x32xf32>, token
    %6 = permute %4 [1, 0] : tile<16x32xf32> -> tile<32x16xf32>
    %7 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %8 = make_tensor_view %7, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16, 1]>>
    %10, %11 = load_view_tko weak %9[%0, %0] : partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16, 1]>>, tile<i32> -> tile<32x16xf32>, token
    %12 = permute %10 [1, 0] : tile<32x16xf32> -> tile<16x32xf32>
    %13 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %14 = make_tensor_view %13, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>
    %16, %17 = load_view_tko weak %15[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>, tile<i32> -> tile<32x32xf32>, token
    %18 = mmaf %6, %12, %16 : tile<32x16xf32>, tile<16x32xf32>, tile<32x32xf32>
    %19 = assume div_by<16>, %p3 : tile<ptr<f32>>
    %20 = make_tensor_view %19, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32, 1]>
    %21 = make_partition_view %20 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>
    %22 = store_view_tko weak %18, %21[%0, %0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
