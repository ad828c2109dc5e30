// test: run
// arg: f64[1] zeros
// error sm_80: memory of the block for 1000000000 elements of `f64`
// error sm_89: memory of the block for 1000000000 elements of `f64`
// error sm_90a: memory of the block for 1000000000 elements of `f64`
// error sm_120a: memory of the block for 1000000000 elements of `f64`
// More than all blocks that run at once can have.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f64>>) {
    %v1 = alloca num_elem = 1000000000, alignment = 8 : tile<ptr<f64>>
    %v2, %v3 = load_ptr_tko weak %v1 : tile<ptr<f64>> -> tile<f64>, token
    %v4 = store_ptr_tko weak %a, %v2 : tile<ptr<f64>>, tile<f64> -> token
    return
  }
}
