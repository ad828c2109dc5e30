// test: opt --passes=canonicalize-full
// What waited for an unused weak load waits for what the load waited for.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %t = make_token : token
    %x = constant <f32: 1.0> : tile<16x32xf32>
    %s = store_view_tko weak %x, %pv[%n, %n] token = %t : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %a, %u = load_view_tko weak %pv[%n, %n] token = %s : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %b, %v = load_view_tko weak %pv[%n, %n] token = %u : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %s2 = store_view_tko weak %x, %pv[%n, %n] token = %v : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %x = constant <f32: 1.000000e+00> : tile<16x32xf32>
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %t = make_token : token
    %s = store_view_tko weak %x, %pv[%n, %n] token = %t : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %s2 = store_view_tko weak %x, %pv[%n, %n] token = %s : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
// rewrites:
//   11 load_only_for_its_token
//   12 load_only_for_its_token
