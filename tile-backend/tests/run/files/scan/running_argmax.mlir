// test: run
// arg: f32[512] small
// arg: i32[512] iota
// arg: f32[512] zeros
// arg: i32[512] zeros
// The largest so far and where it is.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xf32, strides=[128, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(4x128), tensor_view<4x128xf32, strides=[128, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(4x128), tensor_view<4x128xf32, strides=[128, 1]>>, tile<i32> -> tile<4x128xf32>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i32>>
    %7 = make_tensor_view %6, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xi32, strides=[128, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(4x128), tensor_view<4x128xi32, strides=[128, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(4x128), tensor_view<4x128xi32, strides=[128, 1]>>, tile<i32> -> tile<4x128xi32>, token
    %11, %12 = scan %4, %9 dim=1 reverse=false identities=[0xff800000 : f32, 0 : i32] : tile<4x128xf32>, tile<4x128xi32> -> tile<4x128xf32>, tile<4x128xi32> (%e0: tile<f32>, %a0: tile<f32>, %e1: tile<i32>, %a1: tile<i32>) {
      %b0 = cmpf greater_than ordered %e0, %a0 : tile<f32> -> tile<i1>
      %b1 = select %b0, %e0, %a0 : tile<i1>, tile<f32>
      %b2 = select %b0, %e1, %a1 : tile<i1>, tile<i32>
      yield %b1, %b2 : tile<f32>, tile<i32>
    }
    %13 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %14 = make_tensor_view %13, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xf32, strides=[128, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(4x128), tensor_view<4x128xf32, strides=[128, 1]>>
    %16 = store_view_tko weak %11, %15[%0, %0] : tile<4x128xf32>, partition_view<tile=(4x128), tensor_view<4x128xf32, strides=[128, 1]>>, tile<i32> -> token
    %17 = assume div_by<16>, %p3 : tile<ptr<i32>>
    %18 = make_tensor_view %17, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xi32, strides=[128, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(4x128), tensor_view<4x128xi32, strides=[128, 1]>>
    %20 = store_view_tko weak %12, %19[%0, %0] : tile<4x128xi32>, partition_view<tile=(4x128), tensor_view<4x128xi32, strides=[128, 1]>>, tile<i32> -> token
    return
  }
}
