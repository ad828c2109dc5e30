// test: remarks
// kinds: R0001
// A sum of the rows up to the block's own, and one of all rows.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) { // remark R0001: longest-processing-time-first (LPT) tile order // remark R0001: warps:
    %x, %y, %z = get_tile_block_id : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<1x128xf32>
    %va = make_tensor_view %a, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %pa = make_partition_view %va : partition_view<tile=(1x128), tensor_view<64x128xf32, strides=[128,1]>>
    %vb = make_tensor_view %b, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %pb = make_partition_view %vb : partition_view<tile=(1x128), tensor_view<64x128xf32, strides=[128,1]>>
    %end = addi %x, %one : tile<i32>
    %sum = for %i in (%first to %end, step %one) : tile<i32> iter_values(%acc = %zero) -> (tile<1x128xf32>) {
      %row, %t = load_view_tko weak %pa[%i, %first] : partition_view<tile=(1x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> tile<1x128xf32>, token
      %next = addf %acc, %row : tile<1x128xf32>
      continue %next : tile<1x128xf32>
    }
    %t2 = store_view_tko weak %sum, %pb[%x, %first] : tile<1x128xf32>, partition_view<tile=(1x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) { // remark R0001: warps:
    %x, %y, %z = get_tile_block_id : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<1x128xf32>
    %va = make_tensor_view %a, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %pa = make_partition_view %va : partition_view<tile=(1x128), tensor_view<64x128xf32, strides=[128,1]>>
    %vb = make_tensor_view %b, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %pb = make_partition_view %vb : partition_view<tile=(1x128), tensor_view<64x128xf32, strides=[128,1]>>
    %end = constant <i32: 64> : tile<i32>
    %sum = for %i in (%first to %end, step %one) : tile<i32> iter_values(%acc = %zero) -> (tile<1x128xf32>) {
      %row, %t = load_view_tko weak %pa[%i, %first] : partition_view<tile=(1x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> tile<1x128xf32>, token
      %next = addf %acc, %row : tile<1x128xf32>
      continue %next : tile<1x128xf32>
    }
    %t2 = store_view_tko weak %sum, %pb[%x, %first] : tile<1x128xf32>, partition_view<tile=(1x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
