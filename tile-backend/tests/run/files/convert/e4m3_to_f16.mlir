// test: run
// grid: 2 1 1
// warps: 4
// arg: f8E4M3FN[4096] random
// arg: f16[4096] zeros
// only: sm_89 sm_90a sm_120a
// count: 8 cvt.rn.f16x2.e4m3x2
// count: 0 cvt.f32.f16
// Without a way through f32.
cuda_tile.module @kernels {
  entry @convert(%a0: tile<ptr<f8E4M3FN>>, %b0: tile<ptr<f16>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f8E4M3FN>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %va = make_tensor_view %a, shape = [4096], strides = [1] : tensor_view<4096xf8E4M3FN, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(2048), tensor_view<4096xf8E4M3FN, strides=[1]>>
    %vb = make_tensor_view %b, shape = [4096], strides = [1] : tensor_view<4096xf16, strides=[1]>
    %pb = make_partition_view %vb : partition_view<tile=(2048), tensor_view<4096xf16, strides=[1]>>
    %t, %k = load_view_tko weak %pa[%x] : partition_view<tile=(2048), tensor_view<4096xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<2048xf8E4M3FN>, token
    %r = ftof %t : tile<2048xf8E4M3FN> -> tile<2048xf16>
    %e = store_view_tko weak %r, %pb[%x] : tile<2048xf16>, partition_view<tile=(2048), tensor_view<4096xf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
