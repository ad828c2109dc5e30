// test: parse
// `load_ptr_tko`: orderings, scopes, and every combination of mask, padding, token and hints
// that has a text.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %m = constant <i64: 4096> : tile<2x4xi64>
    %q = int_to_ptr %m : tile<2x4xi64> -> tile<2x4xptr<f32>>
    %k = constant <i1: true> : tile<2x4xi1>
    %v = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %a0, %t0 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %a1, %t1 = load_ptr_tko relaxed tl_blk %p : tile<ptr<f32>> -> tile<f32>, token
    %a2, %t2 = load_ptr_tko acquire device %p : tile<ptr<f32>> -> tile<f32>, token
    %a3, %t3 = load_ptr_tko acquire sys %q : tile<2x4xptr<f32>> -> tile<2x4xf32>, token
    %a4, %t4 = load_ptr_tko weak %q, %k : tile<2x4xptr<f32>>, tile<2x4xi1> -> tile<2x4xf32>, token
    %a5, %t5 = load_ptr_tko weak %q, %k, %v : tile<2x4xptr<f32>>, tile<2x4xi1>, tile<2x4xf32> -> tile<2x4xf32>, token
    %a6, %t6 = load_ptr_tko weak %q token=%t5 : tile<2x4xptr<f32>> -> tile<2x4xf32>, token
    %a7, %t7 = load_ptr_tko weak %q, %k token=%t6 : tile<2x4xptr<f32>>, tile<2x4xi1> -> tile<2x4xf32>, token
    %a8, %t8 = load_ptr_tko weak %q optimization_hints = <sm_90 = {latency = 3}> : tile<2x4xptr<f32>> -> tile<2x4xf32>, token
    %a9, %t9 = load_ptr_tko relaxed device %q, %k, %v token=%t8 optimization_hints = <default = {latency = 1}, sm_90 = {latency = 3}> : tile<2x4xptr<f32>>, tile<2x4xi1>, tile<2x4xf32> -> tile<2x4xf32>, token
    return
  }
}
