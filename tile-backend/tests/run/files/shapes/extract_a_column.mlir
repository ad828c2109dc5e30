// test: run
// arg: i8[1024] random
// arg: i32 = 0
// arg: i32 = 31
// arg: i8[32] zeros
// A slice at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<i32>, %p2: tile<i32>, %p3: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi8, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x32), tensor_view<32x32xi8, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xi8, strides=[32, 1]>>, tile<i32> -> tile<32x32xi8>, token
    %5 = extract %3[%p1, %p2] : tile<32x32xi8> -> tile<32x1xi8>
    %6 = make_tensor_view %p3, shape = [32, 1], strides = [1, 1] : tensor_view<32x1xi8, strides=[1, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(32x1), tensor_view<32x1xi8, strides=[1, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<32x1xi8>, partition_view<tile=(32x1), tensor_view<32x1xi8, strides=[1, 1]>>, tile<i32> -> token
    return
  }
}
