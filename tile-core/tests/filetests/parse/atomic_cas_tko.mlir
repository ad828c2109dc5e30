// test: parse
// `atomic_cas_tko`: every ordering, scope and type, mask and token.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %f: tile<f32>) {
    %m = constant <i64: 4096> : tile<2x4xi64>
    %q = int_to_ptr %m : tile<2x4xi64> -> tile<2x4xptr<f32>>
    %k = constant <i1: true> : tile<2x4xi1>
    %v = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %i = constant <i32: 1> : tile<2x4xi32>
    %qi = ptr_to_ptr %q : tile<2x4xptr<f32>> -> tile<2x4xptr<i32>>
    %ql = ptr_to_ptr %q : tile<2x4xptr<f32>> -> tile<2x4xptr<i64>>
    %qd = ptr_to_ptr %q : tile<2x4xptr<f32>> -> tile<2x4xptr<f64>>
    %d = constant <f64: 1.000000e+00> : tile<2x4xf64>
    %a0, %t0 = atomic_cas_tko relaxed tl_blk %p, %f, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %a1, %t1 = atomic_cas_tko acquire device %q, %v, %v : tile<2x4xptr<f32>>, tile<2x4xf32> -> tile<2x4xf32>, token
    %a2, %t2 = atomic_cas_tko release sys %qi, %i, %i, %k : tile<2x4xptr<i32>>, tile<2x4xi32>, tile<2x4xi1> -> tile<2x4xi32>, token
    %a3, %t3 = atomic_cas_tko acq_rel sys %ql, %m, %m token=%t2 : tile<2x4xptr<i64>>, tile<2x4xi64> -> tile<2x4xi64>, token
    %a4, %t4 = atomic_cas_tko relaxed device %qd, %d, %d, %k token=%t3 : tile<2x4xptr<f64>>, tile<2x4xf64>, tile<2x4xi1> -> tile<2x4xf64>, token
    return
  }
}
