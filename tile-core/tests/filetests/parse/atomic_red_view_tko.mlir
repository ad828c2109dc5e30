// test: parse
// `atomic_red_view_tko`: every mode, one type for all indices or one each, a token.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<bf16>>, %n: tile<i32>, %l: tile<i64>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xi32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>
    %sv = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[3,5], tensor_view<?x64xi32, strides=[64,1]>>
    %v = constant <i32: 1> : tile<16x32xi32>
    %t0 = atomic_red_view_tko relaxed tl_blk %pv[%n, %n], and, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t1 = atomic_red_view_tko relaxed device %pv[%n, %n], or, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t2 = atomic_red_view_tko relaxed tl_blk %pv[%n, %n], xor, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t3 = atomic_red_view_tko relaxed device %pv[%n, %n], add, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t4 = atomic_red_view_tko relaxed tl_blk %pv[%n, %n], max, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t5 = atomic_red_view_tko relaxed device %pv[%n, %n], min, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t6 = atomic_red_view_tko relaxed tl_blk %pv[%n, %n], umax, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t7 = atomic_red_view_tko relaxed device %pv[%n, %n], umin, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t8 = atomic_red_view_tko relaxed device %sv[%n, %n], add, %v token = %t7 : tile<16x32xi32>, strided_view<tile=(16x32), traversal_strides=[3,5], tensor_view<?x64xi32, strides=[64,1]>>, tile<i32> -> token
    %t9 = atomic_red_view_tko relaxed device %pv[%n, %l], add, %v : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<?x64xi32, strides=[64,1]>>, tile<i32>, tile<i64> -> token
    %tf = make_tensor_view %q, shape = [8], strides = [1] : tensor_view<8xbf16, strides=[1]>
    %pf = make_partition_view %tf : partition_view<tile=(8), tensor_view<8xbf16, strides=[1]>>
    %vf = constant <bf16: 1.000000e+00> : tile<8xbf16>
    %ta = atomic_red_view_tko relaxed device %pf[%l], addf, %vf : tile<8xbf16>, partition_view<tile=(8), tensor_view<8xbf16, strides=[1]>>, tile<i64> -> token
    return
  }
}
