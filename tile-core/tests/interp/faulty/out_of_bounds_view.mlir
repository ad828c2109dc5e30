// The extent is larger than the buffer.
// run: zeros:24 i32=8
// report: kernel `faulty`, block (0, 0, 0), store_view_tko (operation 4): element [2]: access to bytes 24..28 of a buffer of 24 bytes, parameter 0 at out_of_bounds_view.mlir:6:8

entry @faulty(%x: tile<ptr<i32>>, %n: tile<i32>) {
  %0 = constant <i32: 1> : tile<i32>
  %v = constant <i32: 7> : tile<4xi32>
  %tv = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
  %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>
  %t = store_view_tko weak %v, %pv[%0] : tile<4xi32>, partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>, %n: tile<i32>) {
  %0 = constant <i32: 1> : tile<i32>
  %v = constant <i32: 7> : tile<4xi32>
  %two = constant <i32: 2> : tile<i32>
  %m = subi %n, %two : tile<i32>
  %tv = make_tensor_view %x, shape = [%m], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
  %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>
  %t = store_view_tko weak %v, %pv[%0] : tile<4xi32>, partition_view<tile=(4), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
  return
}
