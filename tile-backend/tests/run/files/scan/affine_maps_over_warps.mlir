// test: run
// warps: 8
// arg: i64[4096] random
// arg: i64[4096] random
// arg: i64[4096] zeros
// arg: i64[4096] zeros
// Order matters, over eight warps.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i64>>, %p1: tile<ptr<i64>>, %p2: tile<ptr<i64>>, %p3: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [4096], strides = [1] : tensor_view<4096xi64, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>, tile<i32> -> tile<4096xi64>, token
    %5 = make_tensor_view %p1, shape = [4096], strides = [1] : tensor_view<4096xi64, strides=[1]>
    %6 = make_partition_view %5 : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>
    %7, %8 = load_view_tko weak %6[%0] : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>, tile<i32> -> tile<4096xi64>, token
    %9, %10 = scan %3, %7 dim=0 reverse=true identities=[1 : i64, 0 : i64] : tile<4096xi64>, tile<4096xi64> -> tile<4096xi64>, tile<4096xi64> (%e0: tile<i64>, %a0: tile<i64>, %e1: tile<i64>, %a1: tile<i64>) {
      %b0 = muli %e0, %a0 : tile<i64>
      %b1 = muli %e0, %a1 : tile<i64>
      %b2 = addi %b1, %e1 : tile<i64>
      yield %b0, %b2 : tile<i64>, tile<i64>
    }
    %11 = make_tensor_view %p2, shape = [4096], strides = [1] : tensor_view<4096xi64, strides=[1]>
    %12 = make_partition_view %11 : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>
    %13 = store_view_tko weak %9, %12[%0] : tile<4096xi64>, partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>, tile<i32> -> token
    %14 = make_tensor_view %p3, shape = [4096], strides = [1] : tensor_view<4096xi64, strides=[1]>
    %15 = make_partition_view %14 : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>
    %16 = store_view_tko weak %10, %15[%0] : tile<4096xi64>, partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
