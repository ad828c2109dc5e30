// test: run
// grid: 2 1 1
// arg: f32[512] random
// arg: f32[512] zeros
// Tiles and numbers of several types out of branches, one computed in another layout.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %a = make_tensor_view %in, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16,1]>
    %b = make_tensor_view %out, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16,1]>
    %p = make_partition_view %a : partition_view<tile=(16x16), tensor_view<32x16xf32, strides=[16,1]>>
    %q = make_partition_view %b : partition_view<tile=(16x16), tensor_view<32x16xf32, strides=[16,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %two = constant <f32: 2.0> : tile<f32>
    %three = constant <f32: 3.0> : tile<f32>
    %t, %k = load_view_tko weak %p[%x, %zero] : partition_view<tile=(16x16), tensor_view<32x16xf32, strides=[16,1]>>, tile<i32> -> tile<16x16xf32>, token
    %first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    %r, %f = if %first -> (tile<16x16xf32>, tile<f32>) {
      %turned = permute %t [1, 0] : tile<16x16xf32> -> tile<16x16xf32>
      yield %turned, %two : tile<16x16xf32>, tile<f32>
    } else {
      yield %t, %three : tile<16x16xf32>, tile<f32>
    }
    %g1 = reshape %f : tile<f32> -> tile<1x1xf32>
    %g = broadcast %g1 : tile<1x1xf32> -> tile<16x16xf32>
    %s = mulf %r, %g rounding<nearest_even> : tile<16x16xf32>
    %m = store_view_tko weak %s, %q[%x, %zero] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<32x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
