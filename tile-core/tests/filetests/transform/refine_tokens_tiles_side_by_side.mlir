// test: opt --passes=refine-tokens
// Stores to tiles of one view whose indices differ by a constant need no order: along the
// rows, and along the columns. The last one may be where the first two are.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = constant <f32: 1.0> : tile<16x32xf32>
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %t = make_token : token
    %n1 = addi %n, %one : tile<i32>
    %x1 = subi %x, %one : tile<i32>
    %t1 = store_view_tko weak %v, %pv[%n, %zero] token = %t : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %v, %pv[%n1, %one] token = %t1 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %v, %pv[%x, %zero] token = %t2 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t4 = store_view_tko weak %v, %pv[%x1, %zero] token = %t3 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t5 = print_tko "done" token=%t4 -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = constant <f32: 1.000000e+00> : tile<16x32xf32>
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %t = make_token : token
    %n1 = addi %n, %one : tile<i32>
    %x1 = subi %x, %one : tile<i32>
    %t1 = store_view_tko weak %v, %pv[%n, %zero] token = %t : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %v, %pv[%n1, %one] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %0 = join_tokens %t1, %t2 : token
    %t3 = store_view_tko weak %v, %pv[%x, %zero] token = %0 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t4 = store_view_tko weak %v, %pv[%x1, %zero] token = %0 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %1 = join_tokens %t3, %t4 : token
    %t5 = print_tko "done" token=%1 -> token
    return
  }
}
// rewrites:
//   16 independent_access
//   17 join_independent
//   18 independent_access
//   19 join_independent
