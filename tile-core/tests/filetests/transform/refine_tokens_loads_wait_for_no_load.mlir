// test: opt --passes=refine-tokens
// Three loads of one chain, then a store to what the first two may have read, which waits
// for all of them; a load after it waits for the store alone. Loads with a scope, which other blocks may see, stay in order.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %t = make_token : token
    %a, %t1 = load_view_tko weak %pv[%n, %n] token = %t : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %b, %t2 = load_view_tko weak %pv[%n, %n] token = %t1 : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %x, %t3 = load_ptr_tko weak %p token=%t2 : tile<ptr<f32>> -> tile<f32>, token
    %t4 = store_view_tko weak %a, %pv[%n, %n] token = %t3 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %c, %t5 = load_view_tko weak %pv[%n, %n] token = %t4 : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %t6 = print_tko "%f", %c token=%t5 : tile<16x32xf32> -> token
    %d, %t7 = load_view_tko relaxed device %pv[%n, %n] token = %t6 : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %e, %t8 = load_view_tko relaxed device %pv[%n, %n] token = %t7 : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %t9 = print_tko "%f", %e token=%t8 : tile<16x32xf32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %t = make_token : token
    %a, %t1 = load_view_tko weak %pv[%n, %n] token = %t : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %b, %t2 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %x, %t3 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %0 = join_tokens %t1, %t2, %t3 : token
    %t4 = store_view_tko weak %a, %pv[%n, %n] token = %0 : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %c, %t5 = load_view_tko weak %pv[%n, %n] token = %t4 : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %t6 = print_tko "%f", %c token=%t5 : tile<16x32xf32> -> token
    %d, %t7 = load_view_tko relaxed device %pv[%n, %n] token = %t6 : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %e, %t8 = load_view_tko relaxed device %pv[%n, %n] token = %t7 : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
    %t9 = print_tko "%f", %e token=%t8 : tile<16x32xf32> -> token
    return
  }
}
// rewrites:
//   11 independent_access
//   12 independent_access
//   13 join_independent
