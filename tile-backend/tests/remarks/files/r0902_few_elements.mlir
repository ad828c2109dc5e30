// test: remarks
// kinds: R0902
// arch: cpu
// A sum of 16 elements, and one of 32.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
    %r = reduce %t dim=0 identities=[0.0 : f32] : tile<16xf32> -> tile<f32> (%e: tile<f32>, %f: tile<f32>) { // remark R0902: the reduction is computed without vectors
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %r1 = reshape %r : tile<f32> -> tile<1xf32>
    %vb_t = make_tensor_view %b, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
    %t1 = store_view_tko weak %r1, %vb[%zero] : tile<1xf32>, partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [32], strides = [1] : tensor_view<32xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(32), tensor_view<32xf32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(32), tensor_view<32xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    %r = reduce %t dim=0 identities=[0.0 : f32] : tile<32xf32> -> tile<f32> (%e: tile<f32>, %f: tile<f32>) {
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %r1 = reshape %r : tile<f32> -> tile<1xf32>
    %vb_t = make_tensor_view %b, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
    %t1 = store_view_tko weak %r1, %vb[%zero] : tile<1xf32>, partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
