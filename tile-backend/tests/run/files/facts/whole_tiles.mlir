// test: run
// has: ld.global.nc.L1::no_allocate.v
// has: st.global.v
// count: 0 @%p
// count: 0 setp
// grid: 2 2 1
// arg: f32[4096] random
// arg: f32[4096] zeros
// arg: i32 = 32
// arg: i32 = 128
// arg: i32 = 128
// Both extents are multiples of the tile, and all blocks have one: vectors, and not one test.
cuda_tile.module @kernels {
  entry @copy(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>, %m0: tile<i32>, %n0: tile<i32>, %s0: tile<i32>) {
    %p = assume div_by<16>, %from : tile<ptr<f32>>
    %q = assume div_by<16>, %to : tile<ptr<f32>>
    %m = assume div_by<16>, %m0 : tile<i32>
    %n = assume div_by<64>, %n0 : tile<i32>
    %s = assume div_by<4>, %s0 : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = make_tensor_view %p, shape = [%m, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %b = make_tensor_view %q, shape = [%m, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %v = make_partition_view %a : partition_view<tile=(16x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %w = make_partition_view %b : partition_view<tile=(16x64), tensor_view<?x?xf32, strides=[?,1]>>
    %t, %1 = load_view_tko weak %v[%x, %y] inbounds = [true, true] : partition_view<tile=(16x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<16x64xf32>, token
    %r = addf %t, %t rounding<nearest_even> : tile<16x64xf32>
    %2 = store_view_tko weak %r, %w[%x, %y] inbounds = [true, true] : tile<16x64xf32>, partition_view<tile=(16x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
