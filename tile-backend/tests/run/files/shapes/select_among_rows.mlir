// test: run
// arg: f16[512] random
// arg: f16[512] random
// arg: f16[512] zeros
// A choice by a comparison of coordinates.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf16, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>, tile<i32> -> tile<32x16xf16>, token
    %5 = make_tensor_view %p1, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf16, strides=[16, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>, tile<i32> -> tile<32x16xf16>, token
    %9 = iota : tile<32xi32>
    %10 = constant <i32: 11> : tile<32xi32>
    %11 = cmpi less_than %9, %10, signed : tile<32xi32> -> tile<32xi1>
    %12 = reshape %11 : tile<32xi1> -> tile<32x1xi1>
    %13 = broadcast %12 : tile<32x1xi1> -> tile<32x16xi1>
    %14 = select %13, %3, %7 : tile<32x16xi1>, tile<32x16xf16>
    %15 = make_tensor_view %p2, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf16, strides=[16, 1]>
    %16 = make_partition_view %15 : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>
    %17 = store_view_tko weak %14, %16[%0, %0] : tile<32x16xf16>, partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
