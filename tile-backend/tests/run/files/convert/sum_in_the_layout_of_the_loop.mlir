// test: run
// warps: 4
// count: 0 bar.sync
// count: 0 shfl
// count: 0 st.shared
// arg: bf16[65536] small
// arg: f32[8192] small
// conflicts: 0
// What a loop carries has the layout of what it loads; it is converted before and behind the loop.
cuda_tile.module @kernels {
  entry @k(%a0: tile<ptr<bf16>>, %s0: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<bf16>>
    %s = assume div_by<16>, %s0 : tile<ptr<f32>>
    %va = make_tensor_view %a, shape = [512, 128], strides = [128, 1] : tensor_view<512x128xbf16, strides=[128,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x128), tensor_view<512x128xbf16, strides=[128,1]>>
    %vs = make_tensor_view %s, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %ps = make_partition_view %vs : partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %eight = constant <i32: 8> : tile<i32>
    %start, %kstart = load_view_tko weak %ps[%zero, %zero] : partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> tile<64x128xf32>, token
    %sum = for %i in (%zero to %eight, step %one) : tile<i32> iter_values(%acc = %start) -> (tile<64x128xf32>) {
      %h, %kh = load_view_tko weak %pa[%i, %zero] : partition_view<tile=(64x128), tensor_view<512x128xbf16, strides=[128,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %w = ftof %h : tile<64x128xbf16> -> tile<64x128xf32>
      %next = addf %acc, %w rounding<nearest_even> : tile<64x128xf32>
      continue %next : tile<64x128xf32>
    }
    %e1 = store_view_tko weak %sum, %ps[%zero, %zero] token=%kstart : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
