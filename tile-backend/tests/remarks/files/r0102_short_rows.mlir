// test: remarks
// kinds: R0102
// Rows of half a sector, and of a whole one.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n: tile<i32>, %s0: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %s = assume div_by<8>, %s0 : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [%n, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(512x4), tensor_view<?x?xf32, strides=[?,1]>>
    %vb_t = make_tensor_view %b, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%x, %y] : partition_view<tile=(512x4), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<512x4xf32>, token // remark R0102: a warp moves 1024 bytes for 512
    %flat = reshape %t : tile<512x4xf32> -> tile<2048xf32>
    %t1 = store_view_tko weak %flat, %vb[%zero] : tile<2048xf32>, partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n: tile<i32>, %s0: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %s = assume div_by<8>, %s0 : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [%n, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(512x8), tensor_view<?x?xf32, strides=[?,1]>>
    %vb_t = make_tensor_view %b, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%x, %y] : partition_view<tile=(512x8), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<512x8xf32>, token
    %flat = reshape %t : tile<512x8xf32> -> tile<4096xf32>
    %t1 = store_view_tko weak %flat, %vb[%zero] : tile<4096xf32>, partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
