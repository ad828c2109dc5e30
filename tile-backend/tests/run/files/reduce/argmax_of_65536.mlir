// test: run
// only: sm_80 sm_90a
// arg: f32[65536] small
// arg: f32[1] zeros
// arg: i32[1] zeros
// The first of equals in a tile that shared memory would not hold.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %d0 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %w0 = make_tensor_view %d0, shape = [65536], strides = [1] : tensor_view<65536xf32, strides=[1]>
    %v0 = make_partition_view %w0 : partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>>
    %x, %x_t = load_view_tko weak %v0[%0] : partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>>, tile<i32> -> tile<65536xf32>, token
    %i = iota : tile<65536xi32>
    %m, %a = reduce %x, %i dim=0 identities=[0xff800000 : f32, 0 : i32] : tile<65536xf32>, tile<65536xi32> -> tile<f32>, tile<i32> (%e0: tile<f32>, %a0: tile<f32>, %e1: tile<i32>, %a1: tile<i32>) {
      %b0 = cmpf greater_than ordered %e0, %a0 : tile<f32> -> tile<i1>
      %b1 = select %b0, %e0, %a0 : tile<i1>, tile<f32>
      %b2 = select %b0, %e1, %a1 : tile<i1>, tile<i32>
      yield %b1, %b2 : tile<f32>, tile<i32>
    }
    %r = reshape %m : tile<f32> -> tile<1xf32>
    %q = reshape %a : tile<i32> -> tile<1xi32>
    %d1 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %w1 = make_tensor_view %d1, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %v1 = make_partition_view %w1 : partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
    %r_s = store_view_tko weak %r, %v1[%0] : tile<1xf32>, partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>, tile<i32> -> token
    %d2 = assume div_by<16>, %p2 : tile<ptr<i32>>
    %w2 = make_tensor_view %d2, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %v2 = make_partition_view %w2 : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %q_s = store_view_tko weak %q, %v2[%0] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
