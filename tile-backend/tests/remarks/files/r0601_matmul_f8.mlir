// test: remarks
// kinds: R0601
// A product of f8 on an architecture that multiplies pairs of f16 instead, and one of f16.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f8E4M3FN>>, %b0: tile<ptr<f8E4M3FN>>, %c0: tile<ptr<f32>>, %k0: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f8E4M3FN>>
    %b = assume div_by<16>, %b0 : tile<ptr<f8E4M3FN>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %many = constant <i32: 64> : tile<i32>
    %nothing = constant <f32: 0.0> : tile<64x64xf32>
    %k = assume div_by<16>, %k0 : tile<i32>
    %va_t = make_tensor_view %a, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x64), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %vb_t = make_tensor_view %b, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %vc_t = make_tensor_view %c, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %vc = make_partition_view %vc_t : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %sum = for %i in (%zero to %many, step %one) : tile<i32> iter_values(%acc = %nothing) -> (tile<64x64xf32>) {
      %ta, %t0 = load_view_tko weak %va[%x, %i] : partition_view<tile=(64x64), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<64x64xf8E4M3FN>, token
      %tb, %t1 = load_view_tko weak %vb[%i, %y] : partition_view<tile=(64x64), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<64x64xf8E4M3FN>, token
      %next = mmaf %ta, %tb, %acc : tile<64x64xf8E4M3FN>, tile<64x64xf8E4M3FN>, tile<64x64xf32> // remark R0601: this matmul is computed in f16
      continue %next : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %vc[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>, %k0: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %many = constant <i32: 64> : tile<i32>
    %nothing = constant <f32: 0.0> : tile<64x64xf32>
    %k = assume div_by<16>, %k0 : tile<i32>
    %va_t = make_tensor_view %a, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>
    %vb_t = make_tensor_view %b, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>
    %vc_t = make_tensor_view %c, shape = [%k, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %vc = make_partition_view %vc_t : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %sum = for %i in (%zero to %many, step %one) : tile<i32> iter_values(%acc = %nothing) -> (tile<64x64xf32>) {
      %ta, %t0 = load_view_tko weak %va[%x, %i] : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tb, %t1 = load_view_tko weak %vb[%i, %y] : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %next = mmaf %ta, %tb, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %vc[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
