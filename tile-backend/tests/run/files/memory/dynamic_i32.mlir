// test: run
// grid: 10 1 1
// arg: f32[6000] random
// arg: f32[4800] zeros
// arg: i32 = 300
// arg: i32 = 20
// Extents and strides of `i32`, known when the kernel runs.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i32>) {
    %v1 = make_tensor_view %a, shape = [%n, 16], strides = [%s, 1] : tile<i32> -> tensor_view<?x16xf32, strides=[?,1]>
    %v2 = make_tensor_view %b, shape = [%n, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16xf32, strides=[16,1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(32x16), padding_value = neg_inf, tensor_view<?x16xf32, strides=[?,1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(32x16), tensor_view<?x16xf32, strides=[16,1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8 = constant <i32: 0> : tile<i32>
    %v9, %v10 = load_view_tko weak %v3[%v5, %v8] : partition_view<tile=(32x16), padding_value = neg_inf, tensor_view<?x16xf32, strides=[?,1]>>, tile<i32> -> tile<32x16xf32>, token
    %v11 = store_view_tko weak %v9, %v4[%v5, %v8] : tile<32x16xf32>, partition_view<tile=(32x16), tensor_view<?x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
