// test: run
// stores: 256
// conflicts: 0
// arg: f16[2048] small
// arg: f16[2048] small
// arg: f32[32768] zeros
// Likewise through memory that the iteration before has read from.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %a2 = make_tensor_view %a1, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf16, strides=[16, 1]>
    %a3 = make_partition_view %a2 : partition_view<tile=(128x16), padding_value = zero, tensor_view<128x16xf16, strides=[16, 1]>>
    %b1 = assume div_by<16>, %b : tile<ptr<f16>>
    %b2 = make_tensor_view %b1, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf16, strides=[128, 1]>
    %b3 = make_partition_view %b2 : partition_view<tile=(16x128), padding_value = zero, tensor_view<16x128xf16, strides=[128, 1]>>
    %c1 = assume div_by<16>, %c : tile<ptr<f32>>
    %c2 = make_tensor_view %c1, shape = [256, 128], strides = [128, 1] : tensor_view<256x128xf32, strides=[128, 1]>
    %c3 = make_partition_view %c2 : partition_view<tile=(128x128), padding_value = zero, tensor_view<256x128xf32, strides=[128, 1]>>
    %x, %xt = load_view_tko weak %a3[%zero, %zero] : partition_view<tile=(128x16), padding_value = zero, tensor_view<128x16xf16, strides=[16, 1]>>, tile<i32> -> tile<128x16xf16>, token
    %y, %yt = load_view_tko weak %b3[%zero, %zero] : partition_view<tile=(16x128), padding_value = zero, tensor_view<16x128xf16, strides=[128, 1]>>, tile<i32> -> tile<16x128xf16>, token
    %w = constant <f32: 0.5> : tile<128x128xf32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %r = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%acc = %w) -> (tile<128x128xf32>) {
      %z = mmaf %x, %y, %acc : tile<128x16xf16>, tile<16x128xf16>, tile<128x128xf32>
      %t = store_view_tko weak %z, %c3[%i, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), padding_value = zero, tensor_view<256x128xf32, strides=[128, 1]>>, tile<i32> -> token
      continue %z : tile<128x128xf32>
    }
    return
  }
}
