// test: run
// maps: 3
// grid: 2 1 1
// arg: f16[8000] small
// arg: f16[14080] small
// arg: f16[20900] random
// arg: i32 = 100
// arg: i32 = 176
// arg: i32 = 80
// arg: i32 = 208
// A block makes three tiles, one after the other, through one buffer, which is that of the ring too.
cuda_tile.module @kernels {
  entry @f(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f16>>, %m0: tile<i32>, %n0: tile<i32>, %k0: tile<i32>, %s0: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f16>>
    %n1 = assume bounded<0, ?>, %n0 : tile<i32>
    %n = assume div_by<8>, %n1 : tile<i32>
    %k1 = assume bounded<0, ?>, %k0 : tile<i32>
    %k = assume div_by<8>, %k1 : tile<i32>
    %s1 = assume bounded<0, ?>, %s0 : tile<i32>
    %s = assume div_by<8>, %s1 : tile<i32>
    %m1 = assume bounded<0, ?>, %m0 : tile<i32>
    %m = assume div_by<4>, %m1 : tile<i32>
    %va = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %lower = constant <i32: 0> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %trips = constant <i32: 3> : tile<i32>
    %vc = make_tensor_view %c, shape = [%m, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>
    %three = constant <i32: 3> : tile<i32>
    %one = constant <f16: 1.0> : tile<64x64xf16>
    %last = for %o in (%lower to %three, step %step) : tile<i32> iter_values(%bias = %one) -> (tile<64x64xf16>) {
      %sum = for %i in (%lower to %trips, step %step) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
        %la, %ta = load_view_tko weak %pa[%x, %i] : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
        %lb, %tb = load_view_tko weak %pb[%i, %o] : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
        %next = mmaf %la, %lb, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
        continue %next : tile<64x64xf32>
      }
      %r = ftof %sum rounding<nearest_even> : tile<64x64xf32> -> tile<64x64xf16>
      %biased = addf %r, %bias rounding<nearest_even> : tile<64x64xf16>
      %t = store_view_tko weak %biased, %pc[%x, %o] : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
      %more = addf %bias, %bias rounding<nearest_even> : tile<64x64xf16>
      continue %more : tile<64x64xf16>
    }
    return
  }
}
