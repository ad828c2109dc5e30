// test: remarks
// kinds: R0902
// arch: cpu
// A sum modulo 256 of 16 elements, and one of 32.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
    %r = reduce %t dim=0 identities=[0 : i32] : tile<16xi32> -> tile<i32> (%e: tile<i32>, %f: tile<i32>) { // remark R0902: the reduction is computed without vectors
      %g = addi %e, %f : tile<i32>
      %mask = constant <i32: 255> : tile<i32>
      %m = andi %g, %mask : tile<i32>
      yield %m : tile<i32>
    }
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %vb_t = make_tensor_view %b, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %t1 = store_view_tko weak %r1, %vb[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %va_t = make_tensor_view %a, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %t, %t0 = load_view_tko weak %va[%zero] : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> tile<32xi32>, token
    %r = reduce %t dim=0 identities=[0 : i32] : tile<32xi32> -> tile<i32> (%e: tile<i32>, %f: tile<i32>) {
      %g = addi %e, %f : tile<i32>
      %mask = constant <i32: 255> : tile<i32>
      %m = andi %g, %mask : tile<i32>
      yield %m : tile<i32>
    }
    %r1 = reshape %r : tile<i32> -> tile<1xi32>
    %vb_t = make_tensor_view %b, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %t1 = store_view_tko weak %r1, %vb[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
