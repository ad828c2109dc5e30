// test: run
// arg: i32[4096] random
// arg: i32 = 17
// arg: i32 = 60
// arg: i32[1] zeros
// A slice at a place known when it runs.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<i32>, %p2: tile<i32>, %p3: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64, 1]>>, tile<i32> -> tile<64x64xi32>, token
    %5 = extract %3[%p1, %p2] : tile<64x64xi32> -> tile<1x1xi32>
    %6 = make_tensor_view %p3, shape = [1, 1], strides = [1, 1] : tensor_view<1x1xi32, strides=[1, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(1x1), tensor_view<1x1xi32, strides=[1, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<1x1xi32>, partition_view<tile=(1x1), tensor_view<1x1xi32, strides=[1, 1]>>, tile<i32> -> token
    return
  }
}
