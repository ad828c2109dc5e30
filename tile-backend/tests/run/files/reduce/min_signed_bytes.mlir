// test: run
// has: redux.sync
// warps: 1
// arg: i8[256] random
// arg: i8[1] zeros
// The smallest, with signs, one warp.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %5 = reduce %3 dim=0 identities=[127 : i8] : tile<256xi8> -> tile<i8> (%e0: tile<i8>, %a0: tile<i8>) {
      %b0 = mini %e0, %a0 signed : tile<i8>
      yield %b0 : tile<i8>
    }
    %6 = reshape %5 : tile<i8> -> tile<1xi8>
    %7 = make_tensor_view %p1, shape = [1], strides = [1] : tensor_view<1xi8, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(1), tensor_view<1xi8, strides=[1]>>
    %9 = store_view_tko weak %6, %8[%0] : tile<1xi8>, partition_view<tile=(1), tensor_view<1xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
