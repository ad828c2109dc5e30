// test: run
// arg: i8[1024] random
// arg: i32 = 0
// arg: i32 = 31
// arg: i8[32] zeros
// A slice at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<i32>, %p2: tile<i32>, %p3: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi8, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(32x32), tensor_view<32x32xi8, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xi8, strides=[32, 1]>>, tile<i32> -> tile<32x32xi8>, token
    %6 = extract %4[%p1, %p2] : tile<32x32xi8> -> tile<32x1xi8>
    %7 = assume div_by<16>, %p3 : tile<ptr<i8>>
    %8 = make_tensor_view %7, shape = [32, 1], strides = [1, 1] : tensor_view<32x1xi8, strides=[1, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x1), tensor_view<32x1xi8, strides=[1, 1]>>
    %10 = store_view_tko weak %6, %9[%0, %0] : tile<32x1xi8>, partition_view<tile=(32x1), tensor_view<32x1xi8, strides=[1, 1]>>, tile<i32> -> token
    return
  }
}
