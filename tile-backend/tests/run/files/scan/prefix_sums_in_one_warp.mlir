// test: run
// warps: 1
// arg: i64[128] random
// arg: i64[128] zeros
// Over registers and lanes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [128], strides = [1] : tensor_view<128xi64, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(128), tensor_view<128xi64, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(128), tensor_view<128xi64, strides=[1]>>, tile<i32> -> tile<128xi64>, token
    %5 = scan %3 dim=0 reverse=false identities=[0 : i64] : tile<128xi64> -> tile<128xi64> (%e0: tile<i64>, %a0: tile<i64>) {
      %b0 = addi %e0, %a0 : tile<i64>
      yield %b0 : tile<i64>
    }
    %6 = make_tensor_view %p1, shape = [128], strides = [1] : tensor_view<128xi64, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(128), tensor_view<128xi64, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<128xi64>, partition_view<tile=(128), tensor_view<128xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
