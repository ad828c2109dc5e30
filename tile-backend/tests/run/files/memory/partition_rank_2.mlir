// test: run
// grid: 4 1 1
// arg: f32[480] random
// arg: f32[480] zeros
// Every tile of a tensor of rank 2, cut at the edges.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = make_tensor_view %a, shape = [15, 32], strides = [32, 1] : tensor_view<15x32xf32, strides=[32,1]>
    %v2 = make_tensor_view %b, shape = [15, 32], strides = [32, 1] : tensor_view<15x32xf32, strides=[32,1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(8x16), padding_value = nan, tensor_view<15x32xf32, strides=[32,1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(8x16), tensor_view<15x32xf32, strides=[32,1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8 = constant <i32: 1> : tile<i32>
    %v9 = andi %v5, %v8 : tile<i32>
    %v10 = shri %v5, %v8 unsigned : tile<i32>
    %v11 = andi %v10, %v8 : tile<i32>
    %v12 = shri %v10, %v8 unsigned : tile<i32>
    %v13, %v14 = load_view_tko weak %v3[%v9, %v11] : partition_view<tile=(8x16), padding_value = nan, tensor_view<15x32xf32, strides=[32,1]>>, tile<i32> -> tile<8x16xf32>, token
    %v15 = addf %v13, %v13 rounding<nearest_even> : tile<8x16xf32>
    %v16 = store_view_tko weak %v15, %v4[%v9, %v11] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<15x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
