// test: remarks
// kinds: R0601
// A quotient of bf16, which goes through f32, and a product, which does not.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<bf16>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<bf16>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xbf16, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>, tile<i32> -> tile<1024xbf16>, token
    %u = divf %t, %t rounding<nearest_even> : tile<1024xbf16> // remark R0601: is computed in f32
    %t1 = store_view_tko weak %u, %va[%zero] : tile<1024xbf16>, partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<bf16>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<bf16>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xbf16, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>, tile<i32> -> tile<1024xbf16>, token
    %u = mulf %t, %t rounding<nearest_even> : tile<1024xbf16>
    %t1 = store_view_tko weak %u, %va[%zero] : tile<1024xbf16>, partition_view<tile=(1024), tensor_view<1024xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
