// test: opt --passes=canonicalize-full
// A weak load that waits for nothing is replaced by a fresh token.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %a, %u = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %b, %v = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %x = constant <f32: 1.0> : tile<16x32xf32>
    %j = join_tokens %u, %v : token
    %s = store_view_tko weak %x, %pv[%n, %n] token = %j : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %x = constant <f32: 1.000000e+00> : tile<16x32xf32>
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %u = make_token : token
    %j = join_tokens %u, %u : token
    %s = store_view_tko weak %x, %pv[%n, %n] token = %j : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
// rewrites:
//    8 load_only_for_its_token
//    9 load_only_for_its_token
//    9 common_subexpression
