// test: run
// grid: 185 1 1
// count: 0 %nctaid.x
// arg: f16[18944] small
// arg: f16[2560] small
// arg: f32[47360] zeros
// The kernel says itself which tile a block has: both operands depend on one axis of the grid.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %va = make_tensor_view %a, shape = [592, 32], strides = [32, 1] : tensor_view<592x32xf16, strides=[32,1]>
    %vb = make_tensor_view %b, shape = [32, 80], strides = [80, 1] : tensor_view<32x80xf16, strides=[80,1]>
    %vc = make_tensor_view %c, shape = [592, 80], strides = [80, 1] : tensor_view<592x80xf32, strides=[80,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x16), tensor_view<592x32xf16, strides=[32,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(16x16), tensor_view<32x80xf16, strides=[80,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(16x16), tensor_view<592x80xf32, strides=[80,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %r = divi %x, %five signed rounding<zero> : tile<i32>
    %c5 = muli %r, %five : tile<i32>
    %q = subi %x, %c5 : tile<i32>
    %zero = constant <f32: 0.0> : tile<16x16xf32>
    %lower = constant <i32: 0> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %trips = constant <i32: 2> : tile<i32>
    %sum = for %i in (%lower to %trips, step %step) : tile<i32> iter_values(%acc = %zero) -> (tile<16x16xf32>) {
      %la, %ta = load_view_tko weak %pa[%r, %i] : partition_view<tile=(16x16), tensor_view<592x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x16xf16>, token
      %lb, %tb = load_view_tko weak %pb[%i, %q] : partition_view<tile=(16x16), tensor_view<32x80xf16, strides=[80,1]>>, tile<i32> -> tile<16x16xf16>, token
      %next = mmaf %la, %lb, %acc : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
      continue %next : tile<16x16xf32>
    }
    %t = store_view_tko weak %sum, %pc[%r, %q] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<592x80xf32, strides=[80,1]>>, tile<i32> -> token
    return
  }
}
