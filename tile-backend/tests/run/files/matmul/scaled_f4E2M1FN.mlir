// test: run
// conflicts: 160
// only: sm_120a
// tolerance: 2e-5
// has: kind::mxf4nvf4.block_scale
// arg: i8[512] random
// arg: i8[512] random
// arg: f32[256] random
// arg: f8E4M3FN[64] random01
// arg: f8E4M3FN[64] random01
// arg: f32[256] zeros
// Blocks of 16 with scale factors, by an instruction that sums in f32.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f8E4M3FN>>, %p4: tile<ptr<f8E4M3FN>>, %p5: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %6 = unpack %4 : tile<512xi8> -> tile<1024xf4E2M1FN>
    %7 = reshape %6 : tile<1024xf4E2M1FN> -> tile<16x64xf4E2M1FN>
    %8 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %9 = make_tensor_view %8, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %10 = make_partition_view %9 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %11, %12 = load_view_tko weak %10[%0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %13 = unpack %11 : tile<512xi8> -> tile<1024xf4E2M1FN>
    %14 = reshape %13 : tile<1024xf4E2M1FN> -> tile<64x16xf4E2M1FN>
    %15 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %16 = make_tensor_view %15, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %17 = make_partition_view %16 : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %18, %19 = load_view_tko weak %17[%0, %0] : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> tile<16x16xf32>, token
    %20 = assume div_by<16>, %p3 : tile<ptr<f8E4M3FN>>
    %21 = make_tensor_view %20, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf8E4M3FN, strides=[4, 1]>
    %22 = make_partition_view %21 : partition_view<tile=(16x4), tensor_view<16x4xf8E4M3FN, strides=[4, 1]>>
    %23, %24 = load_view_tko weak %22[%0, %0] : partition_view<tile=(16x4), tensor_view<16x4xf8E4M3FN, strides=[4, 1]>>, tile<i32> -> tile<16x4xf8E4M3FN>, token
    %25 = assume div_by<16>, %p4 : tile<ptr<f8E4M3FN>>
    %26 = make_tensor_view %25, shape = [4, 16], strides = [16, 1] : tensor_view<4x16xf8E4M3FN, strides=[16, 1]>
    %27 = make_partition_view %26 : partition_view<tile=(4x16), tensor_view<4x16xf8E4M3FN, strides=[16, 1]>>
    %28, %29 = load_view_tko weak %27[%0, %0] : partition_view<tile=(4x16), tensor_view<4x16xf8E4M3FN, strides=[16, 1]>>, tile<i32> -> tile<4x16xf8E4M3FN>, token
    %30 = mmaf_scaled %7, %14, %18, %23, %28 : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x4xf8E4M3FN>, tile<4x16xf8E4M3FN>
    %31 = assume div_by<16>, %p5 : tile<ptr<f32>>
    %32 = make_tensor_view %31, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %33 = make_partition_view %32 : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %34 = store_view_tko weak %30, %33[%0, %0] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
