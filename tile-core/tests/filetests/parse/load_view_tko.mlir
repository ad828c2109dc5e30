// test: parse
// Ordering, scope, token and hints.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>
    %a, %t = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %b, %u = load_view_tko acquire device %pv[%n, %n] token = %t optimization_hints = <default = {allow_tma = true, latency = 3}, sm_90 = {latency = 1}> : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    return
  }
}
