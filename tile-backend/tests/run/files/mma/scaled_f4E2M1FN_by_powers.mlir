// test: run
// arg: i8[1024] random
// arg: i8[512] random
// arg: f32[256] random
// arg: f8E8M0FNU[128] random01
// arg: f8E8M0FNU[64] random01
// arg: f32[256] zeros
// Blocks of 16 with scale factors.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f8E8M0FNU>>, %p4: tile<ptr<f8E8M0FNU>>, %p5: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> tile<1024xi8>, token
    %5 = unpack %3 : tile<1024xi8> -> tile<2048xf4E2M1FN>
    %6 = reshape %5 : tile<2048xf4E2M1FN> -> tile<2x16x64xf4E2M1FN>
    %7 = make_tensor_view %p1, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %9, %10 = load_view_tko weak %8[%0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %11 = unpack %9 : tile<512xi8> -> tile<1024xf4E2M1FN>
    %12 = reshape %11 : tile<1024xf4E2M1FN> -> tile<2x64x8xf4E2M1FN>
    %13 = make_tensor_view %p2, shape = [2, 16, 8], strides = [128, 8, 1] : tensor_view<2x16x8xf32, strides=[128, 8, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(2x16x8), tensor_view<2x16x8xf32, strides=[128, 8, 1]>>
    %15, %16 = load_view_tko weak %14[%0, %0, %0] : partition_view<tile=(2x16x8), tensor_view<2x16x8xf32, strides=[128, 8, 1]>>, tile<i32> -> tile<2x16x8xf32>, token
    %17 = make_tensor_view %p3, shape = [2, 16, 4], strides = [64, 4, 1] : tensor_view<2x16x4xf8E8M0FNU, strides=[64, 4, 1]>
    %18 = make_partition_view %17 : partition_view<tile=(2x16x4), tensor_view<2x16x4xf8E8M0FNU, strides=[64, 4, 1]>>
    %19, %20 = load_view_tko weak %18[%0, %0, %0] : partition_view<tile=(2x16x4), tensor_view<2x16x4xf8E8M0FNU, strides=[64, 4, 1]>>, tile<i32> -> tile<2x16x4xf8E8M0FNU>, token
    %21 = make_tensor_view %p4, shape = [2, 4, 8], strides = [32, 8, 1] : tensor_view<2x4x8xf8E8M0FNU, strides=[32, 8, 1]>
    %22 = make_partition_view %21 : partition_view<tile=(2x4x8), tensor_view<2x4x8xf8E8M0FNU, strides=[32, 8, 1]>>
    %23, %24 = load_view_tko weak %22[%0, %0, %0] : partition_view<tile=(2x4x8), tensor_view<2x4x8xf8E8M0FNU, strides=[32, 8, 1]>>, tile<i32> -> tile<2x4x8xf8E8M0FNU>, token
    %25 = mmaf_scaled %6, %12, %15, %19, %23 : tile<2x16x64xf4E2M1FN>, tile<2x64x8xf4E2M1FN>, tile<2x16x8xf32>, tile<2x16x4xf8E8M0FNU>, tile<2x4x8xf8E8M0FNU>
    %26 = make_tensor_view %p5, shape = [2, 16, 8], strides = [128, 8, 1] : tensor_view<2x16x8xf32, strides=[128, 8, 1]>
    %27 = make_partition_view %26 : partition_view<tile=(2x16x8), tensor_view<2x16x8xf32, strides=[128, 8, 1]>>
    %28 = store_view_tko weak %25, %27[%0, %0, %0] : tile<2x16x8xf32>, partition_view<tile=(2x16x8), tensor_view<2x16x8xf32, strides=[128, 8, 1]>>, tile<i32> -> token
    return
  }
}
