// test: run
// stores: 128
// warps: 8
// conflicts: 0
// arg: f16[2048] small
// arg: f16[4096] small
// arg: f16[32768] zeros
// Likewise of a narrower type.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %a2 = make_tensor_view %a1, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf16, strides=[16, 1]>
    %a3 = make_partition_view %a2 : partition_view<tile=(128x16), padding_value = zero, tensor_view<128x16xf16, strides=[16, 1]>>
    %b1 = assume div_by<16>, %b : tile<ptr<f16>>
    %b2 = make_tensor_view %b1, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xf16, strides=[256, 1]>
    %b3 = make_partition_view %b2 : partition_view<tile=(16x256), padding_value = zero, tensor_view<16x256xf16, strides=[256, 1]>>
    %c1 = assume div_by<16>, %c : tile<ptr<f16>>
    %c2 = make_tensor_view %c1, shape = [128, 256], strides = [256, 1] : tensor_view<128x256xf16, strides=[256, 1]>
    %c3 = make_partition_view %c2 : partition_view<tile=(128x256), padding_value = zero, tensor_view<128x256xf16, strides=[256, 1]>>
    %x, %xt = load_view_tko weak %a3[%zero, %zero] : partition_view<tile=(128x16), padding_value = zero, tensor_view<128x16xf16, strides=[16, 1]>>, tile<i32> -> tile<128x16xf16>, token
    %y, %yt = load_view_tko weak %b3[%zero, %zero] : partition_view<tile=(16x256), padding_value = zero, tensor_view<16x256xf16, strides=[256, 1]>>, tile<i32> -> tile<16x256xf16>, token
    %w = constant <f32: 0.5> : tile<128x256xf32>
    %z = mmaf %x, %y, %w : tile<128x16xf16>, tile<16x256xf16>, tile<128x256xf32>
    %q = ftof %z rounding<nearest_even> : tile<128x256xf32> -> tile<128x256xf16>
    %t = store_view_tko weak %q, %c3[%zero, %zero] : tile<128x256xf16>, partition_view<tile=(128x256), padding_value = zero, tensor_view<128x256xf16, strides=[256, 1]>>, tile<i32> -> token
    return
  }
}
