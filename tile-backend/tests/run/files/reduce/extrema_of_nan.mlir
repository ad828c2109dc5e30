// test: run
// arg: f32[256] zeros
// arg: f32[1] zeros
// arg: f32[1] zeros
// The extrema of nothing but NaN are NaN.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %d0 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %w0 = make_tensor_view %d0, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %v0 = make_partition_view %w0 : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %z, %z_t = load_view_tko weak %v0[%0] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %x = divf %z, %z rounding<nearest_even> : tile<256xf32>
    %m = reduce %x dim=0 identities=[0xff800000 : f32] : tile<256xf32> -> tile<f32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = maxf %e0, %a0 : tile<f32>
      yield %b0 : tile<f32>
    }
    %k = reduce %x dim=0 identities=[0x7f800000 : f32] : tile<256xf32> -> tile<f32> (%e0: tile<f32>, %a0: tile<f32>) {
      %b0 = minf %e0, %a0 : tile<f32>
      yield %b0 : tile<f32>
    }
    %r = reshape %m : tile<f32> -> tile<1xf32>
    %q = reshape %k : tile<f32> -> tile<1xf32>
    %d1 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %w1 = make_tensor_view %d1, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %v1 = make_partition_view %w1 : partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
    %r_s = store_view_tko weak %r, %v1[%0] : tile<1xf32>, partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>, tile<i32> -> token
    %d2 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %w2 = make_tensor_view %d2, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %v2 = make_partition_view %w2 : partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
    %q_s = store_view_tko weak %q, %v2[%0] : tile<1xf32>, partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
