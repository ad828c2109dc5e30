// test: run
// warps: 8
// arg: i32[2048] random
// arg: i64[2048] random
// arg: i32[32] zeros
// arg: i64[32] zeros
// Two operands of different types.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i64>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<i64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi32, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64, 1]>>, tile<i32> -> tile<32x64xi32>, token
    %5 = make_tensor_view %p1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi64, strides=[64, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(32x64), tensor_view<32x64xi64, strides=[64, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xi64, strides=[64, 1]>>, tile<i32> -> tile<32x64xi64>, token
    %9, %10 = reduce %3, %7 dim=1 identities=[0 : i32, 0 : i64] : tile<32x64xi32>, tile<32x64xi64> -> tile<32xi32>, tile<32xi64> (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i64>, %a1: tile<i64>) {
      %b0 = addi %e0, %a0 : tile<i32>
      %b1 = addi %e1, %a1 : tile<i64>
      yield %b0, %b1 : tile<i32>, tile<i64>
    }
    %11 = make_tensor_view %p2, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %12 = make_partition_view %11 : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %13 = store_view_tko weak %9, %12[%0] : tile<32xi32>, partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> token
    %14 = make_tensor_view %p3, shape = [32], strides = [1] : tensor_view<32xi64, strides=[1]>
    %15 = make_partition_view %14 : partition_view<tile=(32), tensor_view<32xi64, strides=[1]>>
    %16 = store_view_tko weak %10, %15[%0] : tile<32xi64>, partition_view<tile=(32), tensor_view<32xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
