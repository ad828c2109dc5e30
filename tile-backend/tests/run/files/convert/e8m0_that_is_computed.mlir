// test: run
// warps: 4
// arg: f32[512] random
// arg: bf16[512] zeros
// only: sm_120a
// count: 2 cvt.rn.bf16x2.ue8m0x2
// count: 2 0x3340U
// count: 0 0x5410U
// Bytes that no word is loaded of: two by two they are operands of conversions.
cuda_tile.module @kernels {
  entry @kernel(%a0: tile<ptr<f32>>, %b0: tile<ptr<bf16>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<bf16>>
    %0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %vb = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xbf16, strides=[1]>
    %pb = make_partition_view %vb : partition_view<tile=(512), tensor_view<512xbf16, strides=[1]>>
    %t, %k = load_view_tko weak %pa[%0] : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %s = ftof %t rounding<zero> : tile<512xf32> -> tile<512xf8E8M0FNU>
    %r = ftof %s : tile<512xf8E8M0FNU> -> tile<512xbf16>
    %e = store_view_tko weak %r, %pb[%0] : tile<512xbf16>, partition_view<tile=(512), tensor_view<512xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
