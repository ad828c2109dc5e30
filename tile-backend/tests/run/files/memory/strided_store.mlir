// test: run
// grid: 8 1 1
// arg: f32[96] random
// arg: f32[96] zeros
// Tiles with gaps between them; the last is cut.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = make_tensor_view %a, shape = [96], strides = [1] : tensor_view<96xf32, strides=[1]>
    %v2 = make_tensor_view %b, shape = [96], strides = [1] : tensor_view<96xf32, strides=[1]>
    %v3 = make_strided_view %v1 : strided_view<tile=(8), traversal_strides=[12], tensor_view<96xf32, strides=[1]>>
    %v4 = make_strided_view %v2 : strided_view<tile=(8), traversal_strides=[12], tensor_view<96xf32, strides=[1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8, %v9 = load_view_tko weak %v3[%v5] : strided_view<tile=(8), traversal_strides=[12], tensor_view<96xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    %v10 = store_view_tko weak %v8, %v4[%v5] : tile<8xf32>, strided_view<tile=(8), traversal_strides=[12], tensor_view<96xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
