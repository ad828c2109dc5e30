// test: run
// warps: 4
// count: 3 bar.sync
// arg: f32[32768] small
// arg: f32[4096] small
// conflicts: 0
// A loop carries what it loads and turns around; what it starts from and gives is turned once.
cuda_tile.module @kernels {
  entry @k(%a0: tile<ptr<f32>>, %s0: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %s = assume div_by<16>, %s0 : tile<ptr<f32>>
    %va = make_tensor_view %a, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf32, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<512x64xf32, strides=[64,1]>>
    %vs = make_tensor_view %s, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %ps = make_partition_view %vs : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %eight = constant <i32: 8> : tile<i32>
    %start, %ks = load_view_tko weak %ps[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %sum = for %i in (%zero to %eight, step %one) : tile<i32> iter_values(%acc = %start) -> (tile<64x64xf32>) {
      %h, %kh = load_view_tko weak %pa[%i, %zero] : partition_view<tile=(64x64), tensor_view<512x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
      %t = permute %h [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
      %next = addf %acc, %t rounding<nearest_even> : tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %e1 = store_view_tko weak %sum, %ps[%zero, %zero] token=%ks : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
