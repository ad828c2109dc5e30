// test: run
// grid: 8 1 1
// arg: f32[840] random
// arg: f32[840] zeros
// Every tile of a tensor of rank 3, cut at the edges.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = make_tensor_view %a, shape = [7, 8, 15], strides = [120, 15, 1] : tensor_view<7x8x15xf32, strides=[120,15,1]>
    %v2 = make_tensor_view %b, shape = [7, 8, 15], strides = [120, 15, 1] : tensor_view<7x8x15xf32, strides=[120,15,1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(4x4x8), padding_value = nan, tensor_view<7x8x15xf32, strides=[120,15,1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(4x4x8), tensor_view<7x8x15xf32, strides=[120,15,1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8 = constant <i32: 1> : tile<i32>
    %v9 = andi %v5, %v8 : tile<i32>
    %v10 = shri %v5, %v8 unsigned : tile<i32>
    %v11 = andi %v10, %v8 : tile<i32>
    %v12 = shri %v10, %v8 unsigned : tile<i32>
    %v13 = andi %v12, %v8 : tile<i32>
    %v14 = shri %v12, %v8 unsigned : tile<i32>
    %v15, %v16 = load_view_tko weak %v3[%v9, %v11, %v13] : partition_view<tile=(4x4x8), padding_value = nan, tensor_view<7x8x15xf32, strides=[120,15,1]>>, tile<i32> -> tile<4x4x8xf32>, token
    %v17 = addf %v15, %v15 rounding<nearest_even> : tile<4x4x8xf32>
    %v18 = store_view_tko weak %v17, %v4[%v9, %v11, %v13] : tile<4x4x8xf32>, partition_view<tile=(4x4x8), tensor_view<7x8x15xf32, strides=[120,15,1]>>, tile<i32> -> token
    return
  }
}
