// test: run
// only: sm_120a
// tolerance: 2e-5
// has: kind::mxf8f6f4.block_scale
// arg: i8[1024] random
// arg: i8[512] random
// arg: f32[256] random
// arg: f8E8M0FNU[128] random01
// arg: f8E8M0FNU[64] random01
// arg: f32[256] zeros
// Blocks of 16 with scale factors, by an instruction that sums in f32.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f8E8M0FNU>>, %p4: tile<ptr<f8E8M0FNU>>, %p5: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> tile<1024xi8>, token
    %6 = unpack %4 : tile<1024xi8> -> tile<2048xf4E2M1FN>
    %7 = reshape %6 : tile<2048xf4E2M1FN> -> tile<2x16x64xf4E2M1FN>
    %8 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %9 = make_tensor_view %8, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %10 = make_partition_view %9 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %11, %12 = load_view_tko weak %10[%0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %13 = unpack %11 : tile<512xi8> -> tile<1024xf4E2M1FN>
    %14 = reshape %13 : tile<1024xf4E2M1FN> -> tile<2x64x8xf4E2M1FN>
    %15 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %16 = make_tensor_view %15, shape = [2, 16, 8], strides = [128, 8, 1] : tensor_view<2x16x8xf32, strides=[128, 8, 1]>
    %17 = make_partition_view %16 : partition_view<tile=(2x16x8), tensor_view<2x16x8xf32, strides=[128, 8, 1]>>
    %18, %19 = load_view_tko weak %17[%0, %0, %0] : partition_view<tile=(2x16x8), tensor_view<2x16x8xf32, strides=[128, 8, 1]>>, tile<i32> -> tile<2x16x8xf32>, token
    %20 = assume div_by<16>, %p3 : tile<ptr<f8E8M0FNU>>
    %21 = make_tensor_view %20, shape = [2, 16, 4], strides = [64, 4, 1] : tensor_view<2x16x4xf8E8M0FNU, strides=[64, 4, 1]>
    %22 = make_partition_view %21 : partition_view<tile=(2x16x4), tensor_view<2x16x4xf8E8M0FNU, strides=[64, 4, 1]>>
    %23, %24 = load_view_tko weak %22[%0, %0, %0] : partition_view<tile=(2x16x4), tensor_view<2x16x4xf8E8M0FNU, strides=[64, 4, 1]>>, tile<i32> -> tile<2x16x4xf8E8M0FNU>, token
    %25 = assume div_by<16>, %p4 : tile<ptr<f8E8M0FNU>>
    %26 = make_tensor_view %25, shape = [2, 4, 8], strides = [32, 8, 1] : tensor_view<2x4x8xf8E8M0FNU, strides=[32, 8, 1]>
    %27 = make_partition_view %26 : partition_view<tile=(2x4x8), tensor_view<2x4x8xf8E8M0FNU, strides=[32, 8, 1]>>
    %28, %29 = load_view_tko weak %27[%0, %0, %0] : partition_view<tile=(2x4x8), tensor_view<2x4x8xf8E8M0FNU, strides=[32, 8, 1]>>, tile<i32> -> tile<2x4x8xf8E8M0FNU>, token
    %30 = mmaf_scaled %7, %14, %18, %23, %28 : tile<2x16x64xf4E2M1FN>, tile<2x64x8xf4E2M1FN>, tile<2x16x8xf32>, tile<2x16x4xf8E8M0FNU>, tile<2x4x8xf8E8M0FNU>
    %31 = assume div_by<16>, %p5 : tile<ptr<f32>>
    %32 = make_tensor_view %31, shape = [2, 16, 8], strides = [128, 8, 1] : tensor_view<2x16x8xf32, strides=[128, 8, 1]>
    %33 = make_partition_view %32 : partition_view<tile=(2x16x8), tensor_view<2x16x8xf32, strides=[128, 8, 1]>>
    %34 = store_view_tko weak %30, %33[%0, %0, %0] : tile<2x16x8xf32>, partition_view<tile=(2x16x8), tensor_view<2x16x8xf32, strides=[128, 8, 1]>>, tile<i32> -> token
    return
  }
}
