// test: run
// grid: 4 1 1
// tolerance: 1e-5
// arg: f32[16384] random
// arg: f32[4096] random
// arg: f32[16384] zeros
// The sum of squares, and factors of each column.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %tl = make_tensor_view %p0, shape = [4, 4096], strides = [4096, 1] : tensor_view<4x4096xf32, strides=[4096, 1]>
    %vl = make_partition_view %tl : partition_view<tile=(1x4096), tensor_view<4x4096xf32, strides=[4096, 1]>>
    %l, %kl = load_view_tko weak %vl[%x, %zero] : partition_view<tile=(1x4096), tensor_view<4x4096xf32, strides=[4096, 1]>>, tile<i32> -> tile<1x4096xf32>, token
    %tw = make_tensor_view %p1, shape = [1, 4096], strides = [4096, 1] : tensor_view<1x4096xf32, strides=[4096, 1]>
    %vw = make_partition_view %tw : partition_view<tile=(1x4096), tensor_view<1x4096xf32, strides=[4096, 1]>>
    %w, %kw = load_view_tko weak %vw[%zero, %zero] : partition_view<tile=(1x4096), tensor_view<1x4096xf32, strides=[4096, 1]>>, tile<i32> -> tile<1x4096xf32>, token
    %sq = mulf %l, %l rounding<nearest_even> : tile<1x4096xf32>
    %s = reduce %sq dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32> (%e_s: tile<f32>, %a_s: tile<f32>) {
      %b_s = addf %e_s, %a_s rounding<nearest_even> : tile<f32>
      yield %b_s : tile<f32>
    }
    %n = constant <f32: 4096.0> : tile<1xf32>
    %mean = divf %s, %n rounding<nearest_even> : tile<1xf32>
    %eps = constant <f32: 1.0e-5> : tile<1xf32>
    %me = addf %mean, %eps rounding<nearest_even> : tile<1xf32>
    %r = rsqrt %me : tile<1xf32>
    %rb_1 = reshape %r : tile<1xf32> -> tile<1x1xf32>
    %rb = broadcast %rb_1 : tile<1x1xf32> -> tile<1x4096xf32>
    %y0 = mulf %l, %rb rounding<nearest_even> : tile<1x4096xf32>
    %o = mulf %y0, %w rounding<nearest_even> : tile<1x4096xf32>
    %tos = make_tensor_view %p2, shape = [4, 4096], strides = [4096, 1] : tensor_view<4x4096xf32, strides=[4096, 1]>
    %vos = make_partition_view %tos : partition_view<tile=(1x4096), tensor_view<4x4096xf32, strides=[4096, 1]>>
    %kos = store_view_tko weak %o, %vos[%x, %zero] : tile<1x4096xf32>, partition_view<tile=(1x4096), tensor_view<4x4096xf32, strides=[4096, 1]>>, tile<i32> -> token
    return
  }
}
