// test: parse
// `load_view_tko`: every kind of view, ordering and scope; token, hints and bounds.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
    %sv = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[16,1], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    %i = iota : tile<16xi32>
    %a0, %t0 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %a1, %t1 = load_view_tko relaxed tl_blk %pv[%n, %n] : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %a2, %t2 = load_view_tko acquire device %pv[%n, %n] : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %a3, %t3 = load_view_tko acquire sys %pv[%n, %n] : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %a4, %t4 = load_view_tko weak %pv[%l, %l] token = %t0 : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i64> -> tile<16x32xf32>, token
    %a5, %t5 = load_view_tko weak %sv[%n, %n] optimization_hints = <default = {allow_tma = true, latency = 3}, sm_90 = {latency = 1}> : strided_view<tile=(16x32), traversal_strides=[16,1], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x32xf32>, token
    %a6, %t6 = load_view_tko weak %gv[%i, %n] : gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
    %a7, %t7 = load_view_tko weak %gv[%i, %l] inbounds = [true, false] : gather_scatter_view<tile=(16x32), padding_value = nan, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i64> -> tile<16x32xf32>, token
    %a8, %t8 = load_view_tko acquire sys %sv[%n, %n] token = %t0 optimization_hints = <default = {allow_tma = true, latency = 3}, sm_90 = {latency = 1}> inbounds = [true, true] : strided_view<tile=(16x32), traversal_strides=[16,1], padding_value = neg_zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x32xf32>, token
    return
  }
}
