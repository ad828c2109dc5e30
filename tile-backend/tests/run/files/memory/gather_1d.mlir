// test: run
// arg: f32[512] random
// arg: f32[256] zeros
// Pointers of a tile, each of its own address.
cuda_tile.module @kernels {
  entry @gather(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %i = iota : tile<256xi32>
    %two = constant <i32: 2> : tile<256xi32>
    %j = muli %i, %two : tile<256xi32>
    %f1 = reshape %from : tile<ptr<f32>> -> tile<1xptr<f32>>
    %f = broadcast %f1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %t1 = reshape %to : tile<ptr<f32>> -> tile<1xptr<f32>>
    %t = broadcast %t1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %p = offset %f, %j : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %q = offset %t, %i : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v, %1 = load_ptr_tko weak %p : tile<256xptr<f32>> -> tile<256xf32>, token
    %2 = store_ptr_tko weak %q, %v : tile<256xptr<f32>>, tile<256xf32> -> token
    return
  }
}
