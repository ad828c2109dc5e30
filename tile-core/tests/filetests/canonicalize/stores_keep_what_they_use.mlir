// test: opt --passes=canonicalize-full
// A store keeps its operands and the regions around it.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    for %i in (%n to %n, step %n) : tile<i32> {
      %u = addi %i, %i : tile<i32>
      if %c {
        %x = constant <f32: 1.0> : tile<16x32xf32>
        %s = store_view_tko weak %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
        continue
      } else {
        %y = constant <f32: 1.0> : tile<16x32xf32>
      }
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %x = constant <f32: 1.000000e+00> : tile<16x32xf32>
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    for %i in (%n to %n, step %n) : tile<i32> {
      if %c {
        %s = store_view_tko weak %x, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
        continue
      }
    }
    return
  }
}
// rewrites:
//   11 constant_hoist
//   15 constant_merge
//    9 dead_code
//   10 if_remove_empty_else_branch
