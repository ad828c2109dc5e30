// test: remarks
// kinds: R0101
// A pointer that is aligned to an element, and to a vector.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<4>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %va_t = make_tensor_view %a, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>
    %vb_t = make_tensor_view %b, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%x] : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token // remark R0101: each lane accesses 4 bytes at a time, where 16 would do
    %t1 = store_view_tko weak %t, %vb[%x] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %va_t = make_tensor_view %a, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>
    %vb_t = make_tensor_view %b, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%x] : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %t1 = store_view_tko weak %t, %vb[%x] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
