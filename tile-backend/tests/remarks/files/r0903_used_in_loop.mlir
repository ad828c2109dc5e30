// test: remarks
// kinds: R0903
// arch: cpu
// A tile of 16 KiB that a loop uses eight times, and one of 8 KiB.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %end = constant <i32: 8> : tile<i32>
    %va_t = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %t, %t0 = load_view_tko weak %va[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %x = exp %t : tile<64x64xf32> // remark R0903: a tile of 16 KiB
    %vb_t = make_tensor_view %b, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<512x64xf32, strides=[64,1]>>
    for %k in (%zero to %end, step %one) : tile<i32> {
      %t1 = store_view_tko weak %x, %vb[%k, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<512x64xf32, strides=[64,1]>>, tile<i32> -> token
    }
    return
  }
  entry @twin(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %end = constant <i32: 8> : tile<i32>
    %va_t = make_tensor_view %a, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %va = make_partition_view %va_t : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %t, %t0 = load_view_tko weak %va[%zero, %zero] : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
    %x = exp %t : tile<32x64xf32>
    %vb_t = make_tensor_view %b, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(32x64), tensor_view<256x64xf32, strides=[64,1]>>
    for %k in (%zero to %end, step %one) : tile<i32> {
      %t1 = store_view_tko weak %x, %vb[%k, %zero] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    }
    return
  }
}
