// test: parse
// A scope after `weak` is refused by the parser where a view is accessed; pointers leave that to the verifier.

cuda_tile.module @m {
  entry @k(%v: partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, %p: tile<ptr<f32>>, %n: tile<i32>, %f: tile<4xf32>) {
    %a, %t = load_view_tko weak device %v[%n] : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token // error[T0103]: expected no scope after `weak`, found `device`
    %u = store_view_tko weak sys %f, %v[%n] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token // error[T0103]: expected no scope after `weak`, found `sys`
    %b, %w = load_view_tko acquire node %v[%n] : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token // error[T0103]: expected `tl_blk` or `device` or `sys`, found `node`
    %c, %x = load_ptr_tko strong %p : tile<ptr<f32>> -> tile<f32>, token // error[T0103]: expected `weak` or `relaxed` or `acquire` or `release` or `acq_rel`, found `strong`
    %d, %y = atomic_rmw_tko relaxed %p, xchg, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token // error[T0103]: expected `tl_blk` or `device` or `sys`, found `%p`
    %e, %z = atomic_rmw_tko relaxed device %p, sub, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token // error[T0103]: expected `and` or `or` or `xor` or `add` or `addf` or `max` or `min` or `umax` or `umin` or `xchg`, found `sub`
    %g, %q = load_ptr_tko weak device %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
