// test: run
// arg: f16[512] random
// arg: f16[8] zeros
// The smallest number.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 8], strides = [8, 1] : tensor_view<64x8xf16, strides=[8, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x8), tensor_view<64x8xf16, strides=[8, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x8), tensor_view<64x8xf16, strides=[8, 1]>>, tile<i32> -> tile<64x8xf16>, token
    %5 = reduce %3 dim=0 identities=[0x7c00 : f16] : tile<64x8xf16> -> tile<8xf16> (%e0: tile<f16>, %a0: tile<f16>) {
      %b0 = minf %e0, %a0 : tile<f16>
      yield %b0 : tile<f16>
    }
    %6 = make_tensor_view %p1, shape = [8], strides = [1] : tensor_view<8xf16, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(8), tensor_view<8xf16, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<8xf16>, partition_view<tile=(8), tensor_view<8xf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
