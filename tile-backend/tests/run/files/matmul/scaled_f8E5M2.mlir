// test: run
// only: sm_120a
// tolerance: 2e-5
// has: kind::mxf8f6f4.block_scale
// arg: f8E5M2[256] random
// arg: f8E5M2[1024] random
// arg: f32[256] random
// arg: f8E8M0FNU[8] random01
// arg: f8E8M0FNU[32] random01
// arg: f32[256] zeros
// Blocks of 32 with scale factors, by an instruction that sums in f32.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f8E5M2>>, %p1: tile<ptr<f8E5M2>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f8E8M0FNU>>, %p4: tile<ptr<f8E8M0FNU>>, %p5: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f8E5M2>>
    %2 = make_tensor_view %1, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf8E5M2, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(8x32), tensor_view<8x32xf8E5M2, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(8x32), tensor_view<8x32xf8E5M2, strides=[32, 1]>>, tile<i32> -> tile<8x32xf8E5M2>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f8E5M2>>
    %7 = make_tensor_view %6, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf8E5M2, strides=[32, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(32x32), tensor_view<32x32xf8E5M2, strides=[32, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf8E5M2, strides=[32, 1]>>, tile<i32> -> tile<32x32xf8E5M2>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %12 = make_tensor_view %11, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32, 1]>>, tile<i32> -> tile<8x32xf32>, token
    %16 = assume div_by<16>, %p3 : tile<ptr<f8E8M0FNU>>
    %17 = make_tensor_view %16, shape = [8, 1], strides = [1, 1] : tensor_view<8x1xf8E8M0FNU, strides=[1, 1]>
    %18 = make_partition_view %17 : partition_view<tile=(8x1), tensor_view<8x1xf8E8M0FNU, strides=[1, 1]>>
    %19, %20 = load_view_tko weak %18[%0, %0] : partition_view<tile=(8x1), tensor_view<8x1xf8E8M0FNU, strides=[1, 1]>>, tile<i32> -> tile<8x1xf8E8M0FNU>, token
    %21 = assume div_by<16>, %p4 : tile<ptr<f8E8M0FNU>>
    %22 = make_tensor_view %21, shape = [1, 32], strides = [32, 1] : tensor_view<1x32xf8E8M0FNU, strides=[32, 1]>
    %23 = make_partition_view %22 : partition_view<tile=(1x32), tensor_view<1x32xf8E8M0FNU, strides=[32, 1]>>
    %24, %25 = load_view_tko weak %23[%0, %0] : partition_view<tile=(1x32), tensor_view<1x32xf8E8M0FNU, strides=[32, 1]>>, tile<i32> -> tile<1x32xf8E8M0FNU>, token
    %26 = mmaf_scaled %4, %9, %14, %19, %24 : tile<8x32xf8E5M2>, tile<32x32xf8E5M2>, tile<8x32xf32>, tile<8x1xf8E8M0FNU>, tile<1x32xf8E8M0FNU>
    %27 = assume div_by<16>, %p5 : tile<ptr<f32>>
    %28 = make_tensor_view %27, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32, 1]>
    %29 = make_partition_view %28 : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32, 1]>>
    %30 = store_view_tko weak %26, %29[%0, %0] : tile<8x32xf32>, partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
