// test: run
// grid: 3 3 1
// arg: f16[660] random
// arg: f16[660] zeros
// A tensor transposed by the map of its axes.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>) {
    %v1 = make_tensor_view %a, shape = [20, 33], strides = [33, 1] : tensor_view<20x33xf16, strides=[33,1]>
    %v2 = make_tensor_view %b, shape = [33, 20], strides = [20, 1] : tensor_view<33x20xf16, strides=[20,1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(16x8), padding_value = zero, tensor_view<20x33xf16, strides=[33,1]>, dim_map=[1, 0]>
    %v4 = make_partition_view %v2 : partition_view<tile=(16x8), tensor_view<33x20xf16, strides=[20,1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8, %v9 = load_view_tko weak %v3[%v5, %v6] : partition_view<tile=(16x8), padding_value = zero, tensor_view<20x33xf16, strides=[33,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x8xf16>, token
    %v10 = store_view_tko weak %v8, %v4[%v5, %v6] : tile<16x8xf16>, partition_view<tile=(16x8), tensor_view<33x20xf16, strides=[20,1]>>, tile<i32> -> token
    return
  }
}
