// test: run
// arg: f32[512] small
// arg: i32[512] iota
// arg: f32[512] zeros
// arg: i32[512] zeros
// The largest so far and where it is.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xf32, strides=[128, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(4x128), tensor_view<4x128xf32, strides=[128, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(4x128), tensor_view<4x128xf32, strides=[128, 1]>>, tile<i32> -> tile<4x128xf32>, token
    %5 = make_tensor_view %p1, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xi32, strides=[128, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(4x128), tensor_view<4x128xi32, strides=[128, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(4x128), tensor_view<4x128xi32, strides=[128, 1]>>, tile<i32> -> tile<4x128xi32>, token
    %9, %10 = scan %3, %7 dim=1 reverse=false identities=[0xff800000 : f32, 0 : i32] : tile<4x128xf32>, tile<4x128xi32> -> tile<4x128xf32>, tile<4x128xi32> (%e0: tile<f32>, %a0: tile<f32>, %e1: tile<i32>, %a1: tile<i32>) {
      %b0 = cmpf greater_than ordered %e0, %a0 : tile<f32> -> tile<i1>
      %b1 = select %b0, %e0, %a0 : tile<i1>, tile<f32>
      %b2 = select %b0, %e1, %a1 : tile<i1>, tile<i32>
      yield %b1, %b2 : tile<f32>, tile<i32>
    }
    %11 = make_tensor_view %p2, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xf32, strides=[128, 1]>
    %12 = make_partition_view %11 : partition_view<tile=(4x128), tensor_view<4x128xf32, strides=[128, 1]>>
    %13 = store_view_tko weak %9, %12[%0, %0] : tile<4x128xf32>, partition_view<tile=(4x128), tensor_view<4x128xf32, strides=[128, 1]>>, tile<i32> -> token
    %14 = make_tensor_view %p3, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xi32, strides=[128, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(4x128), tensor_view<4x128xi32, strides=[128, 1]>>
    %16 = store_view_tko weak %10, %15[%0, %0] : tile<4x128xi32>, partition_view<tile=(4x128), tensor_view<4x128xi32, strides=[128, 1]>>, tile<i32> -> token
    return
  }
}
