// test: run
// has: redux.sync
// warps: 1
// arg: i8[256] random
// arg: i8[1] zeros
// The smallest, with signs, one warp.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i8>>, %p1: tile<ptr<i8>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i8>>
    %2 = make_tensor_view %1, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %6 = reduce %4 dim=0 identities=[127 : i8] : tile<256xi8> -> tile<i8> (%e0: tile<i8>, %a0: tile<i8>) {
      %b0 = mini %e0, %a0 signed : tile<i8>
      yield %b0 : tile<i8>
    }
    %7 = reshape %6 : tile<i8> -> tile<1xi8>
    %8 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %9 = make_tensor_view %8, shape = [1], strides = [1] : tensor_view<1xi8, strides=[1]>
    %10 = make_partition_view %9 : partition_view<tile=(1), tensor_view<1xi8, strides=[1]>>
    %11 = store_view_tko weak %7, %10[%0] : tile<1xi8>, partition_view<tile=(1), tensor_view<1xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
