// test: opt --passes=refine-tokens
// A vector of unknown length: tiles side by side are apart. A matrix whose rows start 16
// elements after each other and have 32: two rows share elements unless they are 2 apart.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %w: tile<i32>, %n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %v = constant <f32: 1.0> : tile<16xf32>
    %x = constant <f32: 1.0> : tile<1x32xf32>
    %tv = make_tensor_view %p, shape = [%w], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>
    %n1 = addi %n, %one : tile<i32>
    %t = make_token : token
    %t1 = store_view_tko weak %v, %pv[%n] token = %t : tile<16xf32>, partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %v, %pv[%n1] token = %t1 : tile<16xf32>, partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %t3 = print_tko "done" token=%t2 -> token
    %mv = make_tensor_view %p, shape = [8, 32], strides = [16, 1] : tensor_view<8x32xf32, strides=[16,1]>
    %rv = make_partition_view %mv : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[16,1]>>
    %t4 = store_view_tko weak %x, %rv[%zero, %zero] token = %t3 : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[16,1]>>, tile<i32> -> token
    %t5 = store_view_tko weak %x, %rv[%two, %zero] token = %t4 : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[16,1]>>, tile<i32> -> token
    %t6 = store_view_tko weak %x, %rv[%one, %zero] token = %t5 : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[16,1]>>, tile<i32> -> token
    %t7 = print_tko "done" token=%t6 -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %w: tile<i32>, %n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %v = constant <f32: 1.000000e+00> : tile<16xf32>
    %x = constant <f32: 1.000000e+00> : tile<1x32xf32>
    %tv = make_tensor_view %p, shape = [%w], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>
    %n1 = addi %n, %one : tile<i32>
    %t = make_token : token
    %t1 = store_view_tko weak %v, %pv[%n] token = %t : tile<16xf32>, partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %v, %pv[%n1] : tile<16xf32>, partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %0 = join_tokens %t1, %t2 : token
    %t3 = print_tko "done" token=%0 -> token
    %mv = make_tensor_view %p, shape = [8, 32], strides = [16, 1] : tensor_view<8x32xf32, strides=[16,1]>
    %rv = make_partition_view %mv : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[16,1]>>
    %t4 = store_view_tko weak %x, %rv[%zero, %zero] token = %t3 : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[16,1]>>, tile<i32> -> token
    %t5 = store_view_tko weak %x, %rv[%two, %zero] token = %t3 : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[16,1]>>, tile<i32> -> token
    %1 = join_tokens %t4, %t5 : token
    %t6 = store_view_tko weak %x, %rv[%one, %zero] token = %1 : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[16,1]>>, tile<i32> -> token
    %t7 = print_tko "done" token=%t6 -> token
    return
  }
}
// rewrites:
//   17 independent_access
//   18 join_independent
//   22 independent_access
//   23 join_independent
