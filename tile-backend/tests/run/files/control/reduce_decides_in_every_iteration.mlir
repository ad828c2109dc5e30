// test: run
// warps: 8
// arg: i32[256] small
// arg: i32[8] zeros
// arg: i32 = 9
// A reduction over all warps in a loop with two ways to the next iteration: its buffers are
// written again before anybody must have read them, unless a barrier stands on both ways.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>, %n: tile<i32>) {
    %v_t = make_tensor_view %in, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a, %a_k = load_view_tko weak %v[%zero] : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %ones = constant <i32: 1> : tile<256xi32>
    %r, %x = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero, %t = %a) -> (tile<i32>, tile<256xi32>) {
      %sum = reduce %t dim=0 identities=[0 : i32] : tile<256xi32> -> tile<i32>
      (%e: tile<i32>, %acc: tile<i32>) {
        %both = addi %e, %acc : tile<i32>
        yield %both : tile<i32>
      }
      %bit = andi %sum, %one : tile<i32>
      %odd = cmpi equal %bit, %one, signed : tile<i32> -> tile<i1>
      %u = addi %t, %ones : tile<256xi32>
      if %odd {
        %v2 = addi %s, %sum : tile<i32>
        continue %v2, %u : tile<i32>, tile<256xi32>
      }
      %w = addi %u, %a : tile<256xi32>
      continue %s, %w : tile<i32>, tile<256xi32>
    }
    %last = reduce %x dim=0 identities=[0 : i32] : tile<256xi32> -> tile<i32>
    (%e: tile<i32>, %acc: tile<i32>) {
      %both = addi %e, %acc : tile<i32>
      yield %both : tile<i32>
    }
    %both = xori %r, %last : tile<i32>
    %r1 = reshape %both : tile<i32> -> tile<1xi32>
    %s1 = store_view_tko weak %r1, %o[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
