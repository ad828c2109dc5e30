// test: run
// warps: 4
// count: 1 bar.sync
// count: 2 st.shared.v4
// conflicts: 0
// arg: f8E5M2[4096] random
// arg: f32[4096] zeros
// Bytes go through shared memory, and become f32 after it.
cuda_tile.module @kernels {
  entry @k(%a0: tile<ptr<f8E5M2>>, %c0: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f8E5M2>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %va = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf8E5M2, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x64xf8E5M2, strides=[64,1]>>
    %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %x, %kx = load_view_tko weak %pa[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf8E5M2, strides=[64,1]>>, tile<i32> -> tile<64x64xf8E5M2>, token
    %w = ftof %x : tile<64x64xf8E5M2> -> tile<64x64xf32>
    %t = permute %w [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
    %e1 = store_view_tko weak %t, %pc[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
