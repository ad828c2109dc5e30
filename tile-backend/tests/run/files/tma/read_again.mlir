// test: run
// maps: 2
// grid: 2 2 1
// arg: f16[8000] small
// arg: f16[7040] small
// arg: f16[11300] random
// arg: f16[11300] random
// arg: i32 = 100
// arg: i32 = 88
// arg: i32 = 80
// arg: i32 = 112
// What is stored is loaded again, which tokens order: threads store it, not the hardware, which is ordered with no load.
cuda_tile.module @kernels {
  entry @f(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f16>>, %d0: tile<ptr<f16>>, %m0: tile<i32>, %n0: tile<i32>, %k0: tile<i32>, %s0: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f16>>
    %d = assume div_by<16>, %d0 : tile<ptr<f16>>
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
    %vd = make_tensor_view %d, shape = [%m, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pd = make_partition_view %vd : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>
    %sum = for %i in (%lower to %trips, step %step) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %la, %ta = load_view_tko weak %pa[%x, %i] : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %lb, %tb = load_view_tko weak %pb[%i, %y] : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %next = mmaf %la, %lb, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %r = ftof %sum rounding<nearest_even> : tile<64x64xf32> -> tile<64x64xf16>
    %t = store_view_tko weak %r, %pc[%x, %y] : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %again, %t3 = load_view_tko weak %pc[%x, %y] token = %t : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %twice = addf %again, %again rounding<nearest_even> : tile<64x64xf16>
    %t2 = store_view_tko weak %twice, %pd[%x, %y] : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
