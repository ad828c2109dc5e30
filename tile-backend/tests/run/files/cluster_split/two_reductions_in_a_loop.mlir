// test: run
// arg: i32[10240] random
// arg: i32[1] zeros
// The second needs what the first gives.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 5> : tile<i32>
    %acc0 = constant <i32: 0> : tile<1xi32>
    %t = make_tensor_view %p0, shape = [5, 2048], strides = [2048, 1] : tensor_view<5x2048xi32, strides=[2048, 1]>
    %v = make_partition_view %t : partition_view<tile=(1x2048), tensor_view<5x2048xi32, strides=[2048, 1]>>
    %sum = for %i in (%zero to %four, step %one) : tile<i32> iter_values(%acc = %acc0) -> (tile<1xi32>) {
    %l, %lt = load_view_tko weak %v[%i, %zero] : partition_view<tile=(1x2048), tensor_view<5x2048xi32, strides=[2048, 1]>>, tile<i32> -> tile<1x2048xi32>, token
    %s = reduce %l dim=1 identities=[0 : i32] : tile<1x2048xi32> -> tile<1xi32> (%e_s: tile<i32>, %a_s: tile<i32>) {
      %b_s = addi %e_s, %a_s : tile<i32>
      yield %b_s : tile<i32>
    }
    %sb_1 = reshape %s : tile<1xi32> -> tile<1x1xi32>
    %sb = broadcast %sb_1 : tile<1x1xi32> -> tile<1x2048xi32>
    %xo = xori %l, %sb : tile<1x2048xi32>
    %u = reduce %xo dim=1 identities=[-2147483648 : i32] : tile<1x2048xi32> -> tile<1xi32> (%e_u: tile<i32>, %a_u: tile<i32>) {
      %b_u = maxi %e_u, %a_u signed : tile<i32>
      yield %b_u : tile<i32>
    }
    %three = constant <i32: 3> : tile<1xi32>
    %am = muli %acc, %three : tile<1xi32>
    %next = addi %am, %u : tile<1xi32>
    continue %next : tile<1xi32>
    }
    %ov = make_tensor_view %p1, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %ot = store_view_tko weak %sum, %op[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
