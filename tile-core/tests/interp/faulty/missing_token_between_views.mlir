// Tiles of two views of one tensor overlap in a row.
// run: zeros:64
// shows in the order
// report: kernel `faulty`, block (0, 0, 0), store_view_tko (operation 7): element [0, 0]: no token orders it after store_view_tko (operation 6), element [0, 0] at missing_token_between_views.mlir:8:8: writes bytes 0..4 of parameter 0 at missing_token_between_views.mlir:9:8

entry @faulty(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %a = constant <i32: 1> : tile<2x2xi32>
  %b = constant <i32: 2> : tile<4x1xi32>
  %tv = make_tensor_view %x, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xi32, strides=[4,1]>
  %rows = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<4x4xi32, strides=[4,1]>>
  %columns = make_partition_view %tv : partition_view<tile=(4x1), tensor_view<4x4xi32, strides=[4,1]>>
  %t = store_view_tko weak %a, %rows[%0, %0] : tile<2x2xi32>, partition_view<tile=(2x2), tensor_view<4x4xi32, strides=[4,1]>>, tile<i32> -> token
  %u = store_view_tko weak %b, %columns[%0, %0] : tile<4x1xi32>, partition_view<tile=(4x1), tensor_view<4x4xi32, strides=[4,1]>>, tile<i32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %a = constant <i32: 1> : tile<2x2xi32>
  %b = constant <i32: 2> : tile<4x1xi32>
  %tv = make_tensor_view %x, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xi32, strides=[4,1]>
  %rows = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<4x4xi32, strides=[4,1]>>
  %columns = make_partition_view %tv : partition_view<tile=(4x1), tensor_view<4x4xi32, strides=[4,1]>>
  %t = store_view_tko weak %a, %rows[%0, %0] : tile<2x2xi32>, partition_view<tile=(2x2), tensor_view<4x4xi32, strides=[4,1]>>, tile<i32> -> token
  %u = store_view_tko weak %b, %columns[%0, %0] token = %t : tile<4x1xi32>, partition_view<tile=(4x1), tensor_view<4x4xi32, strides=[4,1]>>, tile<i32> -> token
  return
}
