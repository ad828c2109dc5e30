// test: run
// arg: i32[1] zeros
// error sm_80: PTX cannot name a variable `tile_shared`
// error sm_89: PTX cannot name a variable `tile_shared`
// error sm_90a: PTX cannot name a variable `tile_shared`
// error sm_120a: PTX cannot name a variable `tile_shared`
// A name that the compiler uses itself.
cuda_tile.module @kernels {
  global @tile_shared <i32: [1]> : tile<1xi32>
  entry @kernel(%a: tile<ptr<i32>>) {
    %v1 = get_global @tile_shared : tile<ptr<i32>>
    %v2, %v3 = load_ptr_tko weak %v1 : tile<ptr<i32>> -> tile<i32>, token
    %v4 = store_ptr_tko weak %a, %v2 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
