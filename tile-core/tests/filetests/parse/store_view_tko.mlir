// test: parse
// Ordering, scope, token and hints.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>
    %x = constant <f32: 1.000000e+00> : tile<16x32xf32>
    %a = store_view_tko weak %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    %b = store_view_tko release sys %x, %pv[%n, %n] token = %a optimization_hints = <sm_90 = {latency = 1}> : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
