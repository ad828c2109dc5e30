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
    %1 = assume div_by<16>, %p0 : tile<ptr<i64>>
    %2 = make_tensor_view %1, shape = [4096], strides = [1] : tensor_view<4096xi64, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>, tile<i32> -> tile<4096xi64>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i64>>
    %7 = make_tensor_view %6, shape = [4096], strides = [1] : tensor_view<4096xi64, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>
    %9, %10 = load_view_tko weak %8[%0] : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>, tile<i32> -> tile<4096xi64>, token
    %11, %12 = scan %4, %9 dim=0 reverse=true identities=[1 : i64, 0 : i64] : tile<4096xi64>, tile<4096xi64> -> tile<4096xi64>, tile<4096xi64> (%e0: tile<i64>, %a0: tile<i64>, %e1: tile<i64>, %a1: tile<i64>) {
      %b0 = muli %e0, %a0 : tile<i64>
      %b1 = muli %e0, %a1 : tile<i64>
      %b2 = addi %b1, %e1 : tile<i64>
      yield %b0, %b2 : tile<i64>, tile<i64>
    }
    %13 = assume div_by<16>, %p2 : tile<ptr<i64>>
    %14 = make_tensor_view %13, shape = [4096], strides = [1] : tensor_view<4096xi64, strides=[1]>
    %15 = make_partition_view %14 : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>
    %16 = store_view_tko weak %11, %15[%0] : tile<4096xi64>, partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>, tile<i32> -> token
    %17 = assume div_by<16>, %p3 : tile<ptr<i64>>
    %18 = make_tensor_view %17, shape = [4096], strides = [1] : tensor_view<4096xi64, strides=[1]>
    %19 = make_partition_view %18 : partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>
    %20 = store_view_tko weak %12, %19[%0] : tile<4096xi64>, partition_view<tile=(4096), tensor_view<4096xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
