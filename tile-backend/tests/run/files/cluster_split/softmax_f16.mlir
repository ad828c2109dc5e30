// test: run
// grid: 2 1 1
// tolerance: 1e-3
// arg: f16[8192] random
// arg: f16[8192] zeros
// Halves, four rows at once.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %tl = make_tensor_view %p0, shape = [8, 1024], strides = [1024, 1] : tensor_view<8x1024xf16, strides=[1024, 1]>
    %vl = make_partition_view %tl : partition_view<tile=(4x1024), tensor_view<8x1024xf16, strides=[1024, 1]>>
    %l, %kl = load_view_tko weak %vl[%x, %zero] : partition_view<tile=(4x1024), tensor_view<8x1024xf16, strides=[1024, 1]>>, tile<i32> -> tile<4x1024xf16>, token
    %l32 = ftof %l : tile<4x1024xf16> -> tile<4x1024xf32>
    %m = reduce %l32 dim=1 identities=[0xff800000 : f32] : tile<4x1024xf32> -> tile<4xf32> (%e_m: tile<f32>, %a_m: tile<f32>) {
      %b_m = maxf %e_m, %a_m : tile<f32>
      yield %b_m : tile<f32>
    }
    %mb_1 = reshape %m : tile<4xf32> -> tile<4x1xf32>
    %mb = broadcast %mb_1 : tile<4x1xf32> -> tile<4x1024xf32>
    %d = subf %l32, %mb rounding<nearest_even> : tile<4x1024xf32>
    %ex = exp %d : tile<4x1024xf32>
    %s = reduce %ex dim=1 identities=[0.0 : f32] : tile<4x1024xf32> -> tile<4xf32> (%e_s: tile<f32>, %a_s: tile<f32>) {
      %b_s = addf %e_s, %a_s rounding<nearest_even> : tile<f32>
      yield %b_s : tile<f32>
    }
    %sb_1 = reshape %s : tile<4xf32> -> tile<4x1xf32>
    %sb = broadcast %sb_1 : tile<4x1xf32> -> tile<4x1024xf32>
    %q = divf %ex, %sb rounding<nearest_even> : tile<4x1024xf32>
    %qh = ftof %q : tile<4x1024xf32> -> tile<4x1024xf16>
    %tqhs = make_tensor_view %p1, shape = [8, 1024], strides = [1024, 1] : tensor_view<8x1024xf16, strides=[1024, 1]>
    %vqhs = make_partition_view %tqhs : partition_view<tile=(4x1024), tensor_view<8x1024xf16, strides=[1024, 1]>>
    %kqhs = store_view_tko weak %qh, %vqhs[%x, %zero] : tile<4x1024xf16>, partition_view<tile=(4x1024), tensor_view<8x1024xf16, strides=[1024, 1]>>, tile<i32> -> token
    return
  }
}
