// test: run
// warps: 4
// arg: i32[128] ones
// arg: i32[128] zeros
// A Collatz walk of a whole tile, which ends when a reduction says that all have arrived.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %v_t = make_tensor_view %in, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>
    %o_t = make_tensor_view %out, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a, %a_k = load_view_tko weak %v[%zero] : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
    %ones = constant <i32: 1> : tile<128xi32>
    %zeros = constant <i32: 0> : tile<128xi32>
    %threes = constant <i32: 3> : tile<128xi32>
    %count = iota : tile<128xi32>
    %first = addi %count, %a : tile<128xi32>
    %steps = loop iter_values(%x = %first, %s = %zeros) : tile<128xi32>, tile<128xi32> -> tile<128xi32> {
      %moving = cmpi greater_than %x, %ones, signed : tile<128xi32> -> tile<128xi1>
      %m = exti %moving unsigned : tile<128xi1> -> tile<128xi32>
      %any = reduce %m dim=0 identities=[0 : i32] : tile<128xi32> -> tile<i32>
      (%e: tile<i32>, %acc: tile<i32>) {
        %both = ori %e, %acc : tile<i32>
        yield %both : tile<i32>
      }
      %go = cmpi equal %any, %one, signed : tile<i32> -> tile<i1>
      if %go {
      } else {
        break %s : tile<128xi32>
      }
      %t = addi %s, %m : tile<128xi32>
      %bit = andi %x, %ones : tile<128xi32>
      %odd = cmpi equal %bit, %ones, signed : tile<128xi32> -> tile<128xi1>
      %half = shri %x, %ones signed : tile<128xi32>
      %triple = muli %x, %threes : tile<128xi32>
      %up = addi %triple, %ones : tile<128xi32>
      %y = select %odd, %up, %half : tile<128xi1>, tile<128xi32>
      %z = select %moving, %y, %x : tile<128xi1>, tile<128xi32>
      continue %z, %t : tile<128xi32>, tile<128xi32>
    }
    %s1 = store_view_tko weak %steps, %o[%zero] : tile<128xi32>, partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
