// test: run
// grid: 2 1 1
// arg: f32[256] random
// arg: f32[256] zeros
// What the other files are like.
cuda_tile.module @kernels {
  entry @double(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = make_tensor_view %from, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %b = make_tensor_view %to, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %p = make_partition_view %a : partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>
    %q = make_partition_view %b : partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>
    %t, %1 = load_view_tko weak %p[%x] : partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %s = addf %t, %t rounding<nearest_even> : tile<128xf32>
    %2 = store_view_tko weak %s, %q[%x] : tile<128xf32>, partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
