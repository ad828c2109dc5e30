// test: run
// arg: f8E5M2[256] random
// arg: f8E5M2[1024] random
// arg: f32[256] random
// arg: f8E8M0FNU[8] random01
// arg: f8E8M0FNU[32] random01
// arg: f32[256] zeros
// Blocks of 32 with scale factors.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f8E5M2>>, %p1: tile<ptr<f8E5M2>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f8E8M0FNU>>, %p4: tile<ptr<f8E8M0FNU>>, %p5: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf8E5M2, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x32), tensor_view<8x32xf8E5M2, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x32), tensor_view<8x32xf8E5M2, strides=[32, 1]>>, tile<i32> -> tile<8x32xf8E5M2>, token
    %5 = make_tensor_view %p1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf8E5M2, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(32x32), tensor_view<32x32xf8E5M2, strides=[32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf8E5M2, strides=[32, 1]>>, tile<i32> -> tile<32x32xf8E5M2>, token
    %9 = make_tensor_view %p2, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32, 1]>>, tile<i32> -> tile<8x32xf32>, token
    %13 = make_tensor_view %p3, shape = [8, 1], strides = [1, 1] : tensor_view<8x1xf8E8M0FNU, strides=[1, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(8x1), tensor_view<8x1xf8E8M0FNU, strides=[1, 1]>>
    %15, %16 = load_view_tko weak %14[%0, %0] : partition_view<tile=(8x1), tensor_view<8x1xf8E8M0FNU, strides=[1, 1]>>, tile<i32> -> tile<8x1xf8E8M0FNU>, token
    %17 = make_tensor_view %p4, shape = [1, 32], strides = [32, 1] : tensor_view<1x32xf8E8M0FNU, strides=[32, 1]>
    %18 = make_partition_view %17 : partition_view<tile=(1x32), tensor_view<1x32xf8E8M0FNU, strides=[32, 1]>>
    %19, %20 = load_view_tko weak %18[%0, %0] : partition_view<tile=(1x32), tensor_view<1x32xf8E8M0FNU, strides=[32, 1]>>, tile<i32> -> tile<1x32xf8E8M0FNU>, token
    %21 = mmaf_scaled %3, %7, %11, %15, %19 : tile<8x32xf8E5M2>, tile<32x32xf8E5M2>, tile<8x32xf32>, tile<8x1xf8E8M0FNU>, tile<1x32xf8E8M0FNU>
    %22 = make_tensor_view %p5, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32, 1]>
    %23 = make_partition_view %22 : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32, 1]>>
    %24 = store_view_tko weak %21, %23[%0, %0] : tile<8x32xf32>, partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
