// test: opt --passes=licm
// Views and pointers are made before the loop; loads, stores and assumptions stay, and so
// does the `if` whose condition does not change.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %m = assume div_by<4>, %n : tile<i32>
      %q = offset %p, %n : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %x, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
      if %c {
        %s = store_ptr_tko weak %q, %x token=%t : tile<ptr<f32>>, tile<f32> -> token
      }
      %tv = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
      %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
      %rows, %columns = get_index_space_shape %pv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>> -> tile<i32>
      %a, %u = load_view_tko weak %pv[%rows, %m] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
      print_tko "%f", %a : tile<16x32xf32> -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %q = offset %p, %n : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %tv = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %rows, %columns = get_index_space_shape %pv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>> -> tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %m = assume div_by<4>, %n : tile<i32>
      %x, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
      if %c {
        %s = store_ptr_tko weak %q, %x token=%t : tile<ptr<f32>>, tile<f32> -> token
      }
      %a, %u = load_view_tko weak %pv[%rows, %m] : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<16x32xf32>, token
      %0 = print_tko "%f", %a : tile<16x32xf32> -> token
    }
    return
  }
}
// rewrites:
//   11 hoist
//   16 hoist
//   17 hoist
//   18 hoist
