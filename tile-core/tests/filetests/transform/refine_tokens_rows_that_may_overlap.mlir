// test: opt --passes=refine-tokens
// The distance between rows is not known: it may be 0, and all rows the same. So nothing
// is known of tiles side by side along the rows or along the columns.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %h: tile<i32>, %w: tile<i32>, %s: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = constant <f32: 1.0> : tile<16x32xf32>
    %tv = make_tensor_view %p, shape = [%h, %w], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>>
    %t = make_token : token
    %t1 = store_view_tko weak %v, %pv[%zero, %zero] token = %t : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %v, %pv[%one, %zero] token = %t1 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %v, %pv[%one, %one] token = %t2 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %t4 = print_tko "done" token=%t3 -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %h: tile<i32>, %w: tile<i32>, %s: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = constant <f32: 1.000000e+00> : tile<16x32xf32>
    %tv = make_tensor_view %p, shape = [%h, %w], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>>
    %t = make_token : token
    %t1 = store_view_tko weak %v, %pv[%zero, %zero] token = %t : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %v, %pv[%one, %zero] token = %t1 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %v, %pv[%one, %one] token = %t2 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %t4 = print_tko "done" token=%t3 -> token
    return
  }
}
// rewrites:
