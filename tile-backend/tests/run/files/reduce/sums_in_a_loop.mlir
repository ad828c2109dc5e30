// test: run
// arg: i32[1024] random
// arg: i32[1024] zeros
// A reduction in each turn of a loop, of both axes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> tile<32x32xi32>, token
    %lo = constant <i32: 0> : tile<i32>
    %hi = constant <i32: 3> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r = for %i in (%lo to %hi, step %one) : tile<i32> iter_values(%acc = %3) -> (tile<32x32xi32>) {
      %rows = reduce %acc dim=1 identities=[0 : i32] : tile<32x32xi32> -> tile<32xi32> (%e0: tile<i32>, %a0: tile<i32>) {
        %b0 = addi %e0, %a0 : tile<i32>
        yield %b0 : tile<i32>
      }
      %cols = reduce %acc dim=0 identities=[0 : i32] : tile<32x32xi32> -> tile<32xi32> (%e0: tile<i32>, %a0: tile<i32>) {
        %b0 = addi %e0, %a0 : tile<i32>
        yield %b0 : tile<i32>
      }
      %x = reshape %rows : tile<32xi32> -> tile<32x1xi32>
      %y = reshape %cols : tile<32xi32> -> tile<1x32xi32>
      %xx = broadcast %x : tile<32x1xi32> -> tile<32x32xi32>
      %yy = broadcast %y : tile<1x32xi32> -> tile<32x32xi32>
      %s = xori %xx, %yy : tile<32x32xi32>
      %t = addi %s, %acc : tile<32x32xi32>
      continue %t : tile<32x32xi32>
    }
    %5 = make_tensor_view %p1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>
    %7 = store_view_tko weak %r, %6[%0, %0] : tile<32x32xi32>, partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
