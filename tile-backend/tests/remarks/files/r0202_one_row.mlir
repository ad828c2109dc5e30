// test: remarks
// kinds: R0202
// A row that all warps share, and rows that each are of one warp.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<4096xf32>, token
    %r = reduce %t dim=0 identities=[0.0 : f32] : tile<4096xf32> -> tile<f32> (%e: tile<f32>, %f: tile<f32>) { // remark R0202: warps combine their results through
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %r1 = reshape %r : tile<f32> -> tile<1xf32>
    %vb_t = make_tensor_view %b, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
    %t1 = store_view_tko weak %r1, %vb[%zero] : tile<1xf32>, partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
    %va = make_partition_view %va_t : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>
    %t, %t0 = load_view_tko weak %va[%zero, %zero] : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>, tile<i32> -> tile<128x32xf32>, token
    %r = reduce %t dim=1 identities=[0.0 : f32] : tile<128x32xf32> -> tile<128xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %vb_t = make_tensor_view %b, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>
    %t1 = store_view_tko weak %r, %vb[%zero] : tile<128xf32>, partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
