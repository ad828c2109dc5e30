// test: parse
// `store_view_tko`: every kind of view, ordering and scope; token, hints and bounds.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
    %sv = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[16,1], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    %i = iota : tile<16xi32>
    %x = constant <f32: 1.000000e+00> : tile<16x32xf32>
    %t0 = store_view_tko weak %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t1 = store_view_tko relaxed tl_blk %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t2 = store_view_tko release device %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t3 = store_view_tko release sys %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t4 = store_view_tko weak %x, %pv[%l, %l] token = %t0 : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i64> -> token
    %t5 = store_view_tko weak %x, %sv[%n, %n] optimization_hints = <default = {allow_tma = true, latency = 3}, sm_90 = {latency = 1}> : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[16,1], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> token
    %t6 = store_view_tko weak %x, %gv[%i, %n] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> token
    %t7 = store_view_tko weak %x, %gv[%i, %l] inbounds = [true, false] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i64> -> token
    %t8 = store_view_tko release sys %x, %sv[%n, %n] token = %t0 optimization_hints = <default = {allow_tma = true, latency = 3}, sm_90 = {latency = 1}> inbounds = [true, true] : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[16,1], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> token
    return
  }
}
