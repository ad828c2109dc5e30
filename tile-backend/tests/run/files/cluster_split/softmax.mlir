// test: run
// grid: 3 1 1
// tolerance: 1e-5
// arg: f32[6144] random
// arg: f32[6144] zeros
// A row of a block.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %tl = make_tensor_view %p0, shape = [3, 2048], strides = [2048, 1] : tensor_view<3x2048xf32, strides=[2048, 1]>
    %vl = make_partition_view %tl : partition_view<tile=(1x2048), tensor_view<3x2048xf32, strides=[2048, 1]>>
    %l, %kl = load_view_tko weak %vl[%x, %zero] : partition_view<tile=(1x2048), tensor_view<3x2048xf32, strides=[2048, 1]>>, tile<i32> -> tile<1x2048xf32>, token
    %m = reduce %l dim=1 identities=[0xff800000 : f32] : tile<1x2048xf32> -> tile<1xf32> (%e_m: tile<f32>, %a_m: tile<f32>) {
      %b_m = maxf %e_m, %a_m : tile<f32>
      yield %b_m : tile<f32>
    }
    %mb_1 = reshape %m : tile<1xf32> -> tile<1x1xf32>
    %mb = broadcast %mb_1 : tile<1x1xf32> -> tile<1x2048xf32>
    %d = subf %l, %mb rounding<nearest_even> : tile<1x2048xf32>
    %ex = exp %d : tile<1x2048xf32>
    %s = reduce %ex dim=1 identities=[0.0 : f32] : tile<1x2048xf32> -> tile<1xf32> (%e_s: tile<f32>, %a_s: tile<f32>) {
      %b_s = addf %e_s, %a_s rounding<nearest_even> : tile<f32>
      yield %b_s : tile<f32>
    }
    %sb_1 = reshape %s : tile<1xf32> -> tile<1x1xf32>
    %sb = broadcast %sb_1 : tile<1x1xf32> -> tile<1x2048xf32>
    %q = divf %ex, %sb rounding<nearest_even> : tile<1x2048xf32>
    %tqs = make_tensor_view %p1, shape = [3, 2048], strides = [2048, 1] : tensor_view<3x2048xf32, strides=[2048, 1]>
    %vqs = make_partition_view %tqs : partition_view<tile=(1x2048), tensor_view<3x2048xf32, strides=[2048, 1]>>
    %kqs = store_view_tko weak %q, %vqs[%x, %zero] : tile<1x2048xf32>, partition_view<tile=(1x2048), tensor_view<3x2048xf32, strides=[2048, 1]>>, tile<i32> -> token
    return
  }
}
