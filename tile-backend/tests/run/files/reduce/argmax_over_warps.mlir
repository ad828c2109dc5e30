// test: run
// warps: 8
// arg: i16[2048] small
// arg: i32[2048] iota
// arg: i16[1] zeros
// arg: i32[1] zeros
// The first of equals, over all threads.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i16>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<i16>>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [2048], strides = [1] : tensor_view<2048xi16, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(2048), tensor_view<2048xi16, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(2048), tensor_view<2048xi16, strides=[1]>>, tile<i32> -> tile<2048xi16>, token
    %5 = make_tensor_view %p1, shape = [2048], strides = [1] : tensor_view<2048xi32, strides=[1]>
    %6 = make_partition_view %5 : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>
    %7, %8 = load_view_tko weak %6[%0] : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>, tile<i32> -> tile<2048xi32>, token
    %9, %10 = reduce %3, %7 dim=0 identities=[-32768 : i16, 0 : i32] : tile<2048xi16>, tile<2048xi32> -> tile<i16>, tile<i32> (%e0: tile<i16>, %a0: tile<i16>, %e1: tile<i32>, %a1: tile<i32>) {
      %b0 = cmpi greater_than %e0, %a0, signed : tile<i16> -> tile<i1>
      %b1 = select %b0, %e0, %a0 : tile<i1>, tile<i16>
      %b2 = select %b0, %e1, %a1 : tile<i1>, tile<i32>
      yield %b1, %b2 : tile<i16>, tile<i32>
    }
    %11 = reshape %9 : tile<i16> -> tile<1xi16>
    %12 = make_tensor_view %p2, shape = [1], strides = [1] : tensor_view<1xi16, strides=[1]>
    %13 = make_partition_view %12 : partition_view<tile=(1), tensor_view<1xi16, strides=[1]>>
    %14 = store_view_tko weak %11, %13[%0] : tile<1xi16>, partition_view<tile=(1), tensor_view<1xi16, strides=[1]>>, tile<i32> -> token
    %15 = reshape %10 : tile<i32> -> tile<1xi32>
    %16 = make_tensor_view %p3, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %17 = make_partition_view %16 : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %18 = store_view_tko weak %15, %17[%0] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
