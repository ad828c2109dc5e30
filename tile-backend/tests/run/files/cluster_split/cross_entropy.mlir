// test: run
// grid: 4 1 1
// tolerance: 1e-5
// arg: f32[16384] random
// arg: i32[4] iota
// arg: f32[4] zeros
// One element is picked; what all blocks have is stored by one.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %tl = make_tensor_view %p0, shape = [4, 4096], strides = [4096, 1] : tensor_view<4x4096xf32, strides=[4096, 1]>
    %vl = make_partition_view %tl : partition_view<tile=(1x4096), tensor_view<4x4096xf32, strides=[4096, 1]>>
    %l, %kl = load_view_tko weak %vl[%x, %zero] : partition_view<tile=(1x4096), tensor_view<4x4096xf32, strides=[4096, 1]>>, tile<i32> -> tile<1x4096xf32>, token
    %lab = make_tensor_view %p1, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %labp = make_partition_view %lab : partition_view<tile=(1), tensor_view<4xi32, strides=[1]>>
    %lb, %lbt = load_view_tko weak %labp[%x] : partition_view<tile=(1), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %lbb_1 = reshape %lb : tile<1xi32> -> tile<1x1xi32>
    %lbb = broadcast %lbb_1 : tile<1x1xi32> -> tile<1x4096xi32>
    %io = iota : tile<4096xi32>
    %io2 = reshape %io : tile<4096xi32> -> tile<1x4096xi32>
    %eq = cmpi equal %io2, %lbb, signed : tile<1x4096xi32> -> tile<1x4096xi1>
    %nul = constant <f32: 0.0> : tile<1x4096xf32>
    %sel = select %eq, %l, %nul : tile<1x4096xi1>, tile<1x4096xf32>
    %pick = reduce %sel dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32> (%e_pick: tile<f32>, %a_pick: tile<f32>) {
      %b_pick = addf %e_pick, %a_pick rounding<nearest_even> : tile<f32>
      yield %b_pick : tile<f32>
    }
    %m = reduce %l dim=1 identities=[0xff800000 : f32] : tile<1x4096xf32> -> tile<1xf32> (%e_m: tile<f32>, %a_m: tile<f32>) {
      %b_m = maxf %e_m, %a_m : tile<f32>
      yield %b_m : tile<f32>
    }
    %mb_1 = reshape %m : tile<1xf32> -> tile<1x1xf32>
    %mb = broadcast %mb_1 : tile<1x1xf32> -> tile<1x4096xf32>
    %d = subf %l, %mb rounding<nearest_even> : tile<1x4096xf32>
    %ex = exp %d : tile<1x4096xf32>
    %s = reduce %ex dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32> (%e_s: tile<f32>, %a_s: tile<f32>) {
      %b_s = addf %e_s, %a_s rounding<nearest_even> : tile<f32>
      yield %b_s : tile<f32>
    }
    %lg = log %s : tile<1xf32>
    %lse = addf %lg, %m rounding<nearest_even> : tile<1xf32>
    %o = subf %lse, %pick rounding<nearest_even> : tile<1xf32>
    %ov = make_tensor_view %p2, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(1), tensor_view<4xf32, strides=[1]>>
    %ot = store_view_tko weak %o, %op[%x] : tile<1xf32>, partition_view<tile=(1), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
