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
    %1 = assume div_by<16>, %p0 : tile<ptr<i32>>
    %2 = make_tensor_view %1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi32, strides=[64, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64, 1]>>, tile<i32> -> tile<32x64xi32>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<i64>>
    %7 = make_tensor_view %6, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi64, strides=[64, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(32x64), tensor_view<32x64xi64, strides=[64, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xi64, strides=[64, 1]>>, tile<i32> -> tile<32x64xi64>, token
    %11, %12 = reduce %4, %9 dim=1 identities=[0 : i32, 0 : i64] : tile<32x64xi32>, tile<32x64xi64> -> tile<32xi32>, tile<32xi64> (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i64>, %a1: tile<i64>) {
      %b0 = addi %e0, %a0 : tile<i32>
      %b1 = addi %e1, %a1 : tile<i64>
      yield %b0, %b1 : tile<i32>, tile<i64>
    }
    %13 = assume div_by<16>, %p2 : tile<ptr<i32>>
    %14 = make_tensor_view %13, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %15 = make_partition_view %14 : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %16 = store_view_tko weak %11, %15[%0] : tile<32xi32>, partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> token
    %17 = assume div_by<16>, %p3 : tile<ptr<i64>>
    %18 = make_tensor_view %17, shape = [32], strides = [1] : tensor_view<32xi64, strides=[1]>
    %19 = make_partition_view %18 : partition_view<tile=(32), tensor_view<32xi64, strides=[1]>>
    %20 = store_view_tko weak %12, %19[%0] : tile<32xi64>, partition_view<tile=(32), tensor_view<32xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
