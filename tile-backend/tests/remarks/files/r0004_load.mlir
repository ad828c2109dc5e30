// test: remarks
// kinds: R0004
// arch: sm_90a
// host: maps persistent
// A number from an address that others may write, and one that is known.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<bf16>>, %b0: tile<ptr<bf16>>, %c0: tile<ptr<f32>>, %k0: tile<i32>, %s0: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<bf16>>
    %b = assume div_by<16>, %b0 : tile<ptr<bf16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %many = constant <i32: 64> : tile<i32>
    %nothing = constant <f32: 0.0> : tile<128x128xf32>
    %k = assume div_by<16>, %k0 : tile<i32>
    %va_t = make_tensor_view %a, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>
    %vb_t = make_tensor_view %b, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %vc_t = make_tensor_view %c, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %vc = make_partition_view %vc_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %sum = for %i in (%zero to %many, step %one) : tile<i32> iter_values(%acc = %nothing) -> (tile<128x128xf32>) {
      %ta, %t0 = load_view_tko weak %va[%x, %i] : partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %tb, %t1 = load_view_tko weak %vb[%i, %y] : partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %next = mmaf %ta, %tb, %acc : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %one_place = reshape %s0 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %scale, %ts = load_ptr_tko weak %one_place : tile<1xptr<f32>> -> tile<1xf32>, token // remark R0004: the kernel would be persistent, but for this operation
    %s1 = reshape %scale : tile<1xf32> -> tile<1x1xf32>
    %s2 = broadcast %s1 : tile<1x1xf32> -> tile<128x128xf32>
    %scaled = mulf %sum, %s2 : tile<128x128xf32>
    %t2 = store_view_tko weak %scaled, %vc[%x, %y] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<bf16>>, %b0: tile<ptr<bf16>>, %c0: tile<ptr<f32>>, %k0: tile<i32>, %s0: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<bf16>>
    %b = assume div_by<16>, %b0 : tile<ptr<bf16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %many = constant <i32: 64> : tile<i32>
    %nothing = constant <f32: 0.0> : tile<128x128xf32>
    %k = assume div_by<16>, %k0 : tile<i32>
    %va_t = make_tensor_view %a, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>
    %vb_t = make_tensor_view %b, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %vc_t = make_tensor_view %c, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %vc = make_partition_view %vc_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %sum = for %i in (%zero to %many, step %one) : tile<i32> iter_values(%acc = %nothing) -> (tile<128x128xf32>) {
      %ta, %t0 = load_view_tko weak %va[%x, %i] : partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %tb, %t1 = load_view_tko weak %vb[%i, %y] : partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %next = mmaf %ta, %tb, %acc : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %scale = constant <f32: 0.5> : tile<1xf32>
    %s1 = reshape %scale : tile<1xf32> -> tile<1x1xf32>
    %s2 = broadcast %s1 : tile<1x1xf32> -> tile<128x128xf32>
    %scaled = mulf %sum, %s2 : tile<128x128xf32>
    %t2 = store_view_tko weak %scaled, %vc[%x, %y] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
