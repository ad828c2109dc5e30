// test: run
// grid: 64 1 1
// arg: f32[1728] random
// arg: f32[1728] zeros
// Every tile of a tensor of rank 6, cut at the edges.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = make_tensor_view %a, shape = [3, 4, 3, 4, 3, 4], strides = [576, 144, 48, 12, 4, 1] : tensor_view<3x4x3x4x3x4xf32, strides=[576,144,48,12,4,1]>
    %v2 = make_tensor_view %b, shape = [3, 4, 3, 4, 3, 4], strides = [576, 144, 48, 12, 4, 1] : tensor_view<3x4x3x4x3x4xf32, strides=[576,144,48,12,4,1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(2x2x2x2x2x2), padding_value = nan, tensor_view<3x4x3x4x3x4xf32, strides=[576,144,48,12,4,1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(2x2x2x2x2x2), tensor_view<3x4x3x4x3x4xf32, strides=[576,144,48,12,4,1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8 = constant <i32: 1> : tile<i32>
    %v9 = andi %v5, %v8 : tile<i32>
    %v10 = shri %v5, %v8 unsigned : tile<i32>
    %v11 = andi %v10, %v8 : tile<i32>
    %v12 = shri %v10, %v8 unsigned : tile<i32>
    %v13 = andi %v12, %v8 : tile<i32>
    %v14 = shri %v12, %v8 unsigned : tile<i32>
    %v15 = andi %v14, %v8 : tile<i32>
    %v16 = shri %v14, %v8 unsigned : tile<i32>
    %v17 = andi %v16, %v8 : tile<i32>
    %v18 = shri %v16, %v8 unsigned : tile<i32>
    %v19 = andi %v18, %v8 : tile<i32>
    %v20 = shri %v18, %v8 unsigned : tile<i32>
    %v21, %v22 = load_view_tko weak %v3[%v9, %v11, %v13, %v15, %v17, %v19] : partition_view<tile=(2x2x2x2x2x2), padding_value = nan, tensor_view<3x4x3x4x3x4xf32, strides=[576,144,48,12,4,1]>>, tile<i32> -> tile<2x2x2x2x2x2xf32>, token
    %v23 = addf %v21, %v21 rounding<nearest_even> : tile<2x2x2x2x2x2xf32>
    %v24 = store_view_tko weak %v23, %v4[%v9, %v11, %v13, %v15, %v17, %v19] : tile<2x2x2x2x2x2xf32>, partition_view<tile=(2x2x2x2x2x2), tensor_view<3x4x3x4x3x4xf32, strides=[576,144,48,12,4,1]>>, tile<i32> -> token
    return
  }
}
