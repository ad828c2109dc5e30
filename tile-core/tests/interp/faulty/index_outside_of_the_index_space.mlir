// The view has two tiles, and the third is stored.
// run: zeros:32
// report: kernel `faulty`, block (0, 0, 0), store_view_tko (operation 4): index [2] is outside of the index space [2]: tiles of [4] of parameter 0, whose extents are [8] at index_outside_of_the_index_space.mlir:6:8

entry @faulty(%x: tile<ptr<i32>>) {
  %2 = constant <i32: 2> : tile<i32>
  %v = constant <i32: 7> : tile<4xi32>
  %tv = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
  %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>
  %t = store_view_tko weak %v, %pv[%2] : tile<4xi32>, partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %1 = constant <i32: 1> : tile<i32>
  %v = constant <i32: 7> : tile<4xi32>
  %tv = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
  %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>
  %t = store_view_tko weak %v, %pv[%1] : tile<4xi32>, partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
  return
}
