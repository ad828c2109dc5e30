// test: run
// arg: i32[256] random
// arg: i32[256] zeros
// Prefixes of prefixes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 3> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %3) -> (tile<256xi32>) {
      %n = scan %acc dim=0 reverse=false identities=[0 : i32] : tile<256xi32> -> tile<256xi32> (%e0: tile<i32>, %a0: tile<i32>) {
        %b0 = addi %e0, %a0 : tile<i32>
        yield %b0 : tile<i32>
      }
      continue %n : tile<256xi32>
    }
    %5 = make_tensor_view %p1, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %6 = make_partition_view %5 : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %7 = store_view_tko weak %r, %6[%0] : tile<256xi32>, partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
