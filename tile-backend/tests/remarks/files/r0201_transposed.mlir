// test: remarks
// kinds: R0201
// A tile that is turned around between load and store, and one that is not.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [64, 4096], strides = [4096, 1] : tensor_view<64x4096xf32, strides=[4096,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x64), tensor_view<64x4096xf32, strides=[4096,1]>>
    %vb_t = make_tensor_view %b, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<4096x64xf32, strides=[64,1]>>
    %i = assume bounded<0, 63>, %x : tile<i32>
    %t, %t0 = load_view_tko weak %va[%zero, %i] : partition_view<tile=(64x64), tensor_view<64x4096xf32, strides=[4096,1]>>, tile<i32> -> tile<64x64xf32>, token
    %u = permute %t [1, 0] : tile<64x64xf32> -> tile<64x64xf32> // remark R0201: 16384 bytes go through shared memory for a layout conversion
    %t1 = store_view_tko weak %u, %vb[%i, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<4096x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [64, 4096], strides = [4096, 1] : tensor_view<64x4096xf32, strides=[4096,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x64), tensor_view<64x4096xf32, strides=[4096,1]>>
    %vb_t = make_tensor_view %b, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xf32, strides=[64,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<4096x64xf32, strides=[64,1]>>
    %i = assume bounded<0, 63>, %x : tile<i32>
    %t, %t0 = load_view_tko weak %va[%zero, %i] : partition_view<tile=(64x64), tensor_view<64x4096xf32, strides=[4096,1]>>, tile<i32> -> tile<64x64xf32>, token
    %t1 = store_view_tko weak %t, %vb[%i, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<4096x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
