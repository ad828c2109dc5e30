// test: run
// grid: 2 1 1
// arg: f32[127] random
// arg: f32[127] zeros
// Every tile of a tensor of rank 1, cut at the edges.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = make_tensor_view %a, shape = [127], strides = [1] : tensor_view<127xf32, strides=[1]>
    %v2 = make_tensor_view %b, shape = [127], strides = [1] : tensor_view<127xf32, strides=[1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(64), padding_value = nan, tensor_view<127xf32, strides=[1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(64), tensor_view<127xf32, strides=[1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8 = constant <i32: 1> : tile<i32>
    %v9 = andi %v5, %v8 : tile<i32>
    %v10 = shri %v5, %v8 unsigned : tile<i32>
    %v11, %v12 = load_view_tko weak %v3[%v9] : partition_view<tile=(64), padding_value = nan, tensor_view<127xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %v13 = addf %v11, %v11 rounding<nearest_even> : tile<64xf32>
    %v14 = store_view_tko weak %v13, %v4[%v9] : tile<64xf32>, partition_view<tile=(64), tensor_view<127xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
