// test: opt --passes=refine-tokens
// Rows of 32 elements that start 31 after each other share one; 32 after each other, none.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %n1 = addi %one, %n : tile<i32>
    %x = constant <f32: 1.0> : tile<1x32xf32>
    %tv31 = make_tensor_view %p, shape = [8, 32], strides = [31, 1] : tensor_view<8x32xf32, strides=[31,1]>
    %pv31 = make_partition_view %tv31 : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[31,1]>>
    %s31 = store_view_tko weak %x, %pv31[%n, %m] : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[31,1]>>, tile<i32> -> token
    %l31, %t31 = load_view_tko weak %pv31[%n1, %m] token = %s31 : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[31,1]>>, tile<i32> -> tile<1x32xf32>, token
    print_tko "%f", %l31 token=%t31 : tile<1x32xf32> -> token
    %tv32 = make_tensor_view %p, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32,1]>
    %pv32 = make_partition_view %tv32 : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[32,1]>>
    %s32 = store_view_tko weak %x, %pv32[%n, %m] : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[32,1]>>, tile<i32> -> token
    %l32, %t32 = load_view_tko weak %pv32[%n1, %m] token = %s32 : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[32,1]>>, tile<i32> -> tile<1x32xf32>, token
    print_tko "%f", %l32 token=%t32 : tile<1x32xf32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %n1 = addi %one, %n : tile<i32>
    %x = constant <f32: 1.000000e+00> : tile<1x32xf32>
    %tv31 = make_tensor_view %p, shape = [8, 32], strides = [31, 1] : tensor_view<8x32xf32, strides=[31,1]>
    %pv31 = make_partition_view %tv31 : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[31,1]>>
    %s31 = store_view_tko weak %x, %pv31[%n, %m] : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[31,1]>>, tile<i32> -> token
    %l31, %t31 = load_view_tko weak %pv31[%n1, %m] token = %s31 : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[31,1]>>, tile<i32> -> tile<1x32xf32>, token
    %0 = print_tko "%f", %l31 token=%t31 : tile<1x32xf32> -> token
    %tv32 = make_tensor_view %p, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32,1]>
    %pv32 = make_partition_view %tv32 : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[32,1]>>
    %s32 = store_view_tko weak %x, %pv32[%n, %m] : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[32,1]>>, tile<i32> -> token
    %l32, %t32 = load_view_tko weak %pv32[%n1, %m] : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[32,1]>>, tile<i32> -> tile<1x32xf32>, token
    %1 = join_tokens %s32, %t32 : token
    %2 = print_tko "%f", %l32 token=%1 : tile<1x32xf32> -> token
    return
  }
}
// rewrites:
//   17 independent_access
//   18 join_independent
