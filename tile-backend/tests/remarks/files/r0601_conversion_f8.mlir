// test: remarks
// kinds: R0601
// Conversions of f8 on an architecture without instructions for them, and of f16.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f8E5M2>>, %b0: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f8E5M2>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xf8E5M2, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(1024), tensor_view<1024xf8E5M2, strides=[1]>>
    %vb_t = make_tensor_view %b, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(1024), tensor_view<1024xf8E5M2, strides=[1]>>, tile<i32> -> tile<1024xf8E5M2>, token
    %u = ftof %t rounding<nearest_even> : tile<1024xf8E5M2> -> tile<1024xf32> // remark R0601: are integer arithmetic
    %t1 = store_view_tko weak %u, %vb[%zero] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f16>>, %b0: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xf16, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>
    %vb_t = make_tensor_view %b, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>, tile<i32> -> tile<1024xf16>, token
    %u = ftof %t rounding<nearest_even> : tile<1024xf16> -> tile<1024xf32>
    %t1 = store_view_tko weak %u, %vb[%zero] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
