cuda_tile.module @kernels {
  entry @stream(%a0: tile<ptr<bf16>>, %b0: tile<ptr<bf16>>, %m0: tile<i32>, %n0: tile<i32>, %trips: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<bf16>>
    %b = assume div_by<16>, %b0 : tile<ptr<bf16>>
    %m = assume bounded<0, ?>, %m0 : tile<i32>
    %n1 = assume bounded<0, ?>, %n0 : tile<i32>
    %n = assume div_by<16>, %n1 : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <f32: 0.0> : tile<1xCOLUMNSxf32>
    %va = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %pa = make_partition_view %va : partition_view<tile=(1xCOLUMNS), tensor_view<?x?xbf16, strides=[?,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(1xCOLUMNS), tensor_view<?x?xbf16, strides=[?,1]>>
    %lo = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %u, %ut = load_view_tko weak %pa[%x, %lo] : partition_view<tile=(1xCOLUMNS), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1xCOLUMNSxbf16>, token
    %ot = store_view_tko weak %u, %pb[%x, %lo] : tile<1xCOLUMNSxbf16>, partition_view<tile=(1xCOLUMNS), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
