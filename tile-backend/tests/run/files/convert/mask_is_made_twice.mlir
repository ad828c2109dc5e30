// test: run
// warps: 4
// count: 3 bar.sync
// arg: f16[4096] small
// arg: f16[4096] small
// arg: f32[4096] zeros
// arg: i8[4096] zeros
// conflicts: 0
// A mask that a product's fragments and a store want in different layouts is computed for each.
cuda_tile.module @kernels {
  entry @k(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>, %m0: tile<ptr<i8>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %m = assume div_by<16>, %m0 : tile<ptr<i8>>
    %va = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %vb = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %vm = make_tensor_view %m, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi8, strides=[64,1]>
    %pm = make_partition_view %vm : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %low = constant <f32: -100.0> : tile<64x64xf32>
    %range = iota : tile<64xi32>
    %rows1 = reshape %range : tile<64xi32> -> tile<64x1xi32>
    %rows = broadcast %rows1 : tile<64x1xi32> -> tile<64x64xi32>
    %columns1 = reshape %range : tile<64xi32> -> tile<1x64xi32>
    %columns = broadcast %columns1 : tile<1x64xi32> -> tile<64x64xi32>
    %mask = cmpi greater_than_or_equal %rows, %columns, signed : tile<64x64xi32> -> tile<64x64xi1>
    %x, %kx = load_view_tko weak %pa[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %y, %ky = load_view_tko weak %pb[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %product = mmaf %x, %y, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %chosen = select %mask, %product, %low : tile<64x64xi1>, tile<64x64xf32>
    %bytes = exti %mask unsigned : tile<64x64xi1> -> tile<64x64xi8>
    %e1 = store_view_tko weak %chosen, %pc[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %e2 = store_view_tko weak %bytes, %pm[%zero, %zero] : tile<64x64xi8>, partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
