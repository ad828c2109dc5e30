// test: run
// arg: i8[512] random
// arg: i8[512] random
// arg: i8[512] zeros
// arg: i8[512] zeros
// Two tiles of bytes that differ in the last of each four: three bytes of a word are put together once.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i8>>, %d: tile<ptr<i8>>) {
    %aligned_a = assume div_by<16>, %a : tile<ptr<i8>>
    %aligned_b = assume div_by<16>, %b : tile<ptr<i8>>
    %aligned_c = assume div_by<16>, %c : tile<ptr<i8>>
    %aligned_d = assume div_by<16>, %d : tile<ptr<i8>>
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %aligned_a, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %5 = make_tensor_view %aligned_b, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %6 = make_partition_view %5 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %7, %8 = load_view_tko weak %6[%0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %9 = addi %3, %7 : tile<512xi8>
    %10 = muli %3, %7 : tile<512xi8>
    %11 = iota : tile<512xi32>
    %12 = constant <i32: 3> : tile<512xi32>
    %13 = andi %11, %12 : tile<512xi32>
    %14 = cmpi equal %13, %12, signed : tile<512xi32> -> tile<512xi1>
    %15 = select %14, %10, %9 : tile<512xi1>, tile<512xi8>
    %16 = make_tensor_view %aligned_c, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %17 = make_partition_view %16 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %18 = store_view_tko weak %9, %17[%0] : tile<512xi8>, partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> token
    %19 = make_tensor_view %aligned_d, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %20 = make_partition_view %19 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %21 = store_view_tko weak %15, %20[%0] : tile<512xi8>, partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
