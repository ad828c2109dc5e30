// test: run
// only: sm_120a
// tolerance: 2e-5
// has: kind::mxf8f6f4.block_scale
// arg: f8E4M3FN[1024] random
// arg: f8E4M3FN[1024] random
// arg: f32[256] random
// arg: f8E8M0FNU[32] random01
// arg: f8E8M0FNU[32] random01
// arg: f32[256] zeros
// Blocks of 32 with scale factors, by an instruction that sums in f32.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f8E4M3FN>>, %p1: tile<ptr<f8E4M3FN>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f8E8M0FNU>>, %p4: tile<ptr<f8E8M0FNU>>, %p5: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f8E4M3FN>>
    %2 = make_tensor_view %1, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf8E4M3FN, strides=[64, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x64), tensor_view<16x64xf8E4M3FN, strides=[64, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x64), tensor_view<16x64xf8E4M3FN, strides=[64, 1]>>, tile<i32> -> tile<16x64xf8E4M3FN>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f8E4M3FN>>
    %7 = make_tensor_view %6, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf8E4M3FN, strides=[16, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(64x16), tensor_view<64x16xf8E4M3FN, strides=[16, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(64x16), tensor_view<64x16xf8E4M3FN, strides=[16, 1]>>, tile<i32> -> tile<64x16xf8E4M3FN>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %12 = make_tensor_view %11, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> tile<16x16xf32>, token
    %16 = assume div_by<16>, %p3 : tile<ptr<f8E8M0FNU>>
    %17 = make_tensor_view %16, shape = [16, 2], strides = [2, 1] : tensor_view<16x2xf8E8M0FNU, strides=[2, 1]>
    %18 = make_partition_view %17 : partition_view<tile=(16x2), tensor_view<16x2xf8E8M0FNU, strides=[2, 1]>>
    %19, %20 = load_view_tko weak %18[%0, %0] : partition_view<tile=(16x2), tensor_view<16x2xf8E8M0FNU, strides=[2, 1]>>, tile<i32> -> tile<16x2xf8E8M0FNU>, token
    %21 = assume div_by<16>, %p4 : tile<ptr<f8E8M0FNU>>
    %22 = make_tensor_view %21, shape = [2, 16], strides = [16, 1] : tensor_view<2x16xf8E8M0FNU, strides=[16, 1]>
    %23 = make_partition_view %22 : partition_view<tile=(2x16), tensor_view<2x16xf8E8M0FNU, strides=[16, 1]>>
    %24, %25 = load_view_tko weak %23[%0, %0] : partition_view<tile=(2x16), tensor_view<2x16xf8E8M0FNU, strides=[16, 1]>>, tile<i32> -> tile<2x16xf8E8M0FNU>, token
    %26 = mmaf_scaled %4, %9, %14, %19, %24 : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %27 = assume div_by<16>, %p5 : tile<ptr<f32>>
    %28 = make_tensor_view %27, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %29 = make_partition_view %28 : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %30 = store_view_tko weak %26, %29[%0, %0] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
