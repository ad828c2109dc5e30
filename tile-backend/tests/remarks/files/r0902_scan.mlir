// test: remarks
// kinds: R0902
// arch: cpu
// One row, and 16 rows side by side.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %r = scan %t dim=0 reverse=false identities=[0.0 : f32] : tile<256xf32> -> tile<256xf32> (%e: tile<f32>, %f: tile<f32>) { // remark R0902: the scan is computed without vectors
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %vb_t = make_tensor_view %b, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %t1 = store_view_tko weak %r, %vb[%zero] : tile<256xf32>, partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %va = make_partition_view %va_t : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %t, %t0 = load_view_tko weak %va[%zero, %zero] : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> tile<16x16xf32>, token
    %r = scan %t dim=1 reverse=false identities=[0.0 : f32] : tile<16x16xf32> -> tile<16x16xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %vb_t = make_tensor_view %b, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %t1 = store_view_tko weak %r, %vb[%zero, %zero] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
