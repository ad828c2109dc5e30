// test: remarks
// kinds: R0101
// Rows that start anywhere, and at multiples of four elements.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n: tile<i32>, %s0: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %s = assume div_by<1>, %s0 : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [%n, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(16x64), tensor_view<?x?xf32, strides=[?,1]>>
    %vb_t = make_tensor_view %b, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64,1]>>
    %t, %t0 = load_view_tko weak %va[%x, %y] : partition_view<tile=(16x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<16x64xf32>, token // remark R0101: each lane accesses 4 bytes at a time
    %t1 = store_view_tko weak %t, %vb[%zero, %zero] : tile<16x64xf32>, partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n: tile<i32>, %s0: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %s = assume div_by<4>, %s0 : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [%n, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(16x64), tensor_view<?x?xf32, strides=[?,1]>>
    %vb_t = make_tensor_view %b, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64,1]>>
    %t, %t0 = load_view_tko weak %va[%x, %y] : partition_view<tile=(16x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<16x64xf32>, token
    %t1 = store_view_tko weak %t, %vb[%zero, %zero] : tile<16x64xf32>, partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
