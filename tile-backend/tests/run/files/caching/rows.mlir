// test: run
// only: sm_90a
// grid: 3 1 1
// warps: 4
// arg: f32[20000] random
// arg: f32[2800] small
// arg: f32[20000] random
// arg: i32 = 5
// arg: i32 = 2800
// arg: i32 = 4000
// has: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint
// has: cp.async.cg.shared.global.L2::cache_hint
// has: evict_first
// has: evict_last
// Rows that are copied as they lie in memory say it too, beside scales that threads copy.
cuda_tile.module @kernels {
  entry @f(%a0: tile<ptr<f32>>, %w0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %m0: tile<i32>, %n0: tile<i32>, %s0: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %w = assume div_by<16>, %w0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %m = assume bounded<0, ?>, %m0 : tile<i32>
    %n1 = assume bounded<0, ?>, %n0 : tile<i32>
    %n = assume div_by<4>, %n1 : tile<i32>
    %s1 = assume bounded<0, ?>, %s0 : tile<i32>
    %s = assume div_by<4>, %s1 : tile<i32>
    %va = make_tensor_view %a, shape = [%m, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%m, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %vw = make_tensor_view %w, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(2x1024), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(2x1024), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>
    %pw = make_partition_view %vw : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %none = constant <f32: 0.0> : tile<2x1024xf32>
    %all = for %i in (%zero to %three, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<2x1024xf32>) {
    %t, %tt = load_view_tko weak %pa[%x, %i] : partition_view<tile=(2x1024), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<2x1024xf32>, token
    %s40, %s4t = load_view_tko weak %pw[%i] : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %s41 = reshape %s40 : tile<1024xf32> -> tile<1x1024xf32>
    %s4 = broadcast %s41 : tile<1x1024xf32> -> tile<2x1024xf32>
    %r = addf %t, %s4 rounding<nearest_even> : tile<2x1024xf32>
    %next = maxf %r, %acc : tile<2x1024xf32>
      continue %next : tile<2x1024xf32>
    }
    %st = store_view_tko weak %all, %pb[%x, %zero] : tile<2x1024xf32>, partition_view<tile=(2x1024), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
