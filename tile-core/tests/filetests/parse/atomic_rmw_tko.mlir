// test: parse
// `atomic_rmw_tko`: every ordering, scope and mode, mask and token.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %f: tile<f32>, %n: tile<i32>) {
    %q = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i32>>
    %x0, %s0 = atomic_rmw_tko relaxed tl_blk %q, and, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %x1, %s1 = atomic_rmw_tko acquire device %q, or, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %x2, %s2 = atomic_rmw_tko release sys %q, xor, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %x3, %s3 = atomic_rmw_tko acq_rel sys %q, add, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %x4, %s4 = atomic_rmw_tko relaxed device %p, addf, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %x5, %s5 = atomic_rmw_tko relaxed device %q, max, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %x6, %s6 = atomic_rmw_tko relaxed device %q, min, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %x7, %s7 = atomic_rmw_tko relaxed device %q, umax, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %x8, %s8 = atomic_rmw_tko relaxed device %q, umin, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %x9, %s9 = atomic_rmw_tko relaxed device %p, xchg, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %m = constant <i64: 4096> : tile<2x4xi64>
    %k = constant <i1: true> : tile<2x4xi1>
    %h = constant <f16: 1.000000e+00> : tile<2x4xf16>
    %qh = int_to_ptr %m : tile<2x4xi64> -> tile<2x4xptr<f16>>
    %ql = ptr_to_ptr %qh : tile<2x4xptr<f16>> -> tile<2x4xptr<i64>>
    %y0, %t0 = atomic_rmw_tko relaxed device %qh, addf, %h, %k : tile<2x4xptr<f16>>, tile<2x4xf16>, tile<2x4xi1> -> tile<2x4xf16>, token
    %y1, %t1 = atomic_rmw_tko relaxed device %ql, add, %m token=%t0 : tile<2x4xptr<i64>>, tile<2x4xi64> -> tile<2x4xi64>, token
    %y2, %t2 = atomic_rmw_tko relaxed device %ql, xchg, %m, %k token=%t1 : tile<2x4xptr<i64>>, tile<2x4xi64>, tile<2x4xi1> -> tile<2x4xi64>, token
    return
  }
}
