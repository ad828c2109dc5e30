// test: run
// arg: f8E4M3FN[1024] random
// arg: f8E4M3FN[1024] random
// arg: f32[256] random
// arg: f8E8M0FNU[32] random01
// arg: f8E8M0FNU[32] random01
// arg: f32[256] zeros
// Blocks of 32 with scale factors.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f8E4M3FN>>, %p1: tile<ptr<f8E4M3FN>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f8E8M0FNU>>, %p4: tile<ptr<f8E8M0FNU>>, %p5: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf8E4M3FN, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x64), tensor_view<16x64xf8E4M3FN, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x64), tensor_view<16x64xf8E4M3FN, strides=[64, 1]>>, tile<i32> -> tile<16x64xf8E4M3FN>, token
    %5 = make_tensor_view %p1, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf8E4M3FN, strides=[16, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(64x16), tensor_view<64x16xf8E4M3FN, strides=[16, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(64x16), tensor_view<64x16xf8E4M3FN, strides=[16, 1]>>, tile<i32> -> tile<64x16xf8E4M3FN>, token
    %9 = make_tensor_view %p2, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> tile<16x16xf32>, token
    %13 = make_tensor_view %p3, shape = [16, 2], strides = [2, 1] : tensor_view<16x2xf8E8M0FNU, strides=[2, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(16x2), tensor_view<16x2xf8E8M0FNU, strides=[2, 1]>>
    %15, %16 = load_view_tko weak %14[%0, %0] : partition_view<tile=(16x2), tensor_view<16x2xf8E8M0FNU, strides=[2, 1]>>, tile<i32> -> tile<16x2xf8E8M0FNU>, token
    %17 = make_tensor_view %p4, shape = [2, 16], strides = [16, 1] : tensor_view<2x16xf8E8M0FNU, strides=[16, 1]>
    %18 = make_partition_view %17 : partition_view<tile=(2x16), tensor_view<2x16xf8E8M0FNU, strides=[16, 1]>>
    %19, %20 = load_view_tko weak %18[%0, %0] : partition_view<tile=(2x16), tensor_view<2x16xf8E8M0FNU, strides=[16, 1]>>, tile<i32> -> tile<2x16xf8E8M0FNU>, token
    %21 = mmaf_scaled %3, %7, %11, %15, %19 : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %22 = make_tensor_view %p5, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %23 = make_partition_view %22 : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %24 = store_view_tko weak %21, %23[%0, %0] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
