// test: parse
// `store_ptr_tko`: orderings, scopes, and every combination of mask, token and hints.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %f: tile<f32>) {
    %m = constant <i64: 4096> : tile<2x4xi64>
    %q = int_to_ptr %m : tile<2x4xi64> -> tile<2x4xptr<f32>>
    %k = constant <i1: true> : tile<2x4xi1>
    %v = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %t0 = store_ptr_tko weak %p, %f : tile<ptr<f32>>, tile<f32> -> token
    %t1 = store_ptr_tko relaxed tl_blk %p, %f : tile<ptr<f32>>, tile<f32> -> token
    %t2 = store_ptr_tko release device %p, %f : tile<ptr<f32>>, tile<f32> -> token
    %t3 = store_ptr_tko release sys %q, %v : tile<2x4xptr<f32>>, tile<2x4xf32> -> token
    %t4 = store_ptr_tko weak %q, %v, %k : tile<2x4xptr<f32>>, tile<2x4xf32>, tile<2x4xi1> -> token
    %t5 = store_ptr_tko weak %q, %v token=%t4 : tile<2x4xptr<f32>>, tile<2x4xf32> -> token
    %t6 = store_ptr_tko weak %q, %v optimization_hints = <sm_90 = {latency = 3}> : tile<2x4xptr<f32>>, tile<2x4xf32> -> token
    %t7 = store_ptr_tko relaxed device %q, %v, %k token=%t6 optimization_hints = <sm_90 = {latency = 3}> : tile<2x4xptr<f32>>, tile<2x4xf32>, tile<2x4xi1> -> token
    return
  }
}
