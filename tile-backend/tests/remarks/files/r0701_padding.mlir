// test: remarks
// kinds: R0701
// The greatest of rows that may be ragged: padded with zero, and with negative infinity.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [64, %n], strides = [%n, 1] : tile<i32> -> tensor_view<64x?xf32, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf32, strides=[?,1]>>
    %t, %t0 = load_view_tko weak %va[%zero, %zero] : partition_view<tile=(64x32), padding_value = zero, tensor_view<64x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x32xf32>, token
    %u = negf %t : tile<64x32xf32>
    %r = reduce %u dim=1 identities=[0xFF800000 : f32] : tile<64x32xf32> -> tile<64xf32> (%e: tile<f32>, %f: tile<f32>) { // remark R0701: zeros from outside of the tensor may be among the elements of this maximum
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %vb_t = make_tensor_view %b, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %t1 = store_view_tko weak %r, %vb[%zero] : tile<64xf32>, partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [64, %n], strides = [%n, 1] : tile<i32> -> tensor_view<64x?xf32, strides=[?,1]>
    %va = make_partition_view %va_t : partition_view<tile=(64x32), padding_value = pos_inf, tensor_view<64x?xf32, strides=[?,1]>>
    %t, %t0 = load_view_tko weak %va[%zero, %zero] : partition_view<tile=(64x32), padding_value = pos_inf, tensor_view<64x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x32xf32>, token
    %u = negf %t : tile<64x32xf32>
    %r = reduce %u dim=1 identities=[0xFF800000 : f32] : tile<64x32xf32> -> tile<64xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %vb_t = make_tensor_view %b, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %t1 = store_view_tko weak %r, %vb[%zero] : tile<64xf32>, partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
