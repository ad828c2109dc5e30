// test: run
// grid: 3 3 1
// arg: f32[5000] random
// arg: f32[1000] small
// arg: f32[5000] random
// arg: i32 = 5
// arg: i32 = 700
// arg: i32 = 1000
// has: ld.global.nc.L1::no_allocate.L2::cache_hint.v4.b32
// has: ld.global.nc.L2::cache_hint
// count: 1 createpolicy.fractional.L2::evict_first.b64
// count: 1 createpolicy.fractional.L2::evict_last.b64
// Each tile is read once, and the scales by every block: the tiles are not kept, the scales are. Rows and columns are cut.
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
    %pa = make_partition_view %va : partition_view<tile=(2x256), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(2x256), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pw = make_partition_view %vw : partition_view<tile=(256), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %y, %x, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %t, %tt = load_view_tko weak %pa[%x, %y] : partition_view<tile=(2x256), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<2x256xf32>, token
    %s40, %s4t = load_view_tko weak %pw[%zero] : partition_view<tile=(256), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %s41 = reshape %s40 : tile<256xf32> -> tile<1x256xf32>
    %s4 = broadcast %s41 : tile<1x256xf32> -> tile<2x256xf32>
    %r = mulf %t, %s4 rounding<nearest_even> : tile<2x256xf32>
    %st = store_view_tko weak %r, %pb[%x, %y] : tile<2x256xf32>, partition_view<tile=(2x256), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
