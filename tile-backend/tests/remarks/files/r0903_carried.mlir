// test: remarks
// kinds: R0903
// arch: cpu
// A tile of 16 KiB that a loop carries from one iteration to the next, and the accumulator of a product, which is in memory anyway.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x0 = constant <f32: 0.0> : tile<64x64xf32>
    %va_t = make_tensor_view %a, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf32, strides=[64,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x64), tensor_view<512x64xf32, strides=[64,1]>>
    %vb_t = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %r = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%x = %x0) -> (tile<64x64xf32>) { // remark R0903: a tile of 16 KiB
      %t, %t0 = load_view_tko weak %va[%k, %zero] : partition_view<tile=(64x64), tensor_view<512x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
      %y = addf %x, %t : tile<64x64xf32>
      continue %y : tile<64x64xf32>
    }
    %t1 = store_view_tko weak %r, %vb[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x0 = constant <f32: 0.0> : tile<64x64xf32>
    %va_t = make_tensor_view %a, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf32, strides=[64,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x64), tensor_view<512x64xf32, strides=[64,1]>>
    %vb_t = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %r = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%x = %x0) -> (tile<64x64xf32>) {
      %t, %t0 = load_view_tko weak %va[%k, %zero] : partition_view<tile=(64x64), tensor_view<512x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
      %y = mmaf %t, %t, %x : tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>
      continue %y : tile<64x64xf32>
    }
    %t1 = store_view_tko weak %r, %vb[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
