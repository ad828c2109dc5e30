// test: run
// grid: 7 1 1
// arg: f32[100] random
// arg: f32[100] zeros
// Views loaded relaxed and stored relaxed; fewer elements than threads.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = make_tensor_view %a, shape = [100], strides = [1] : tensor_view<100xf32, strides=[1]>
    %v2 = make_tensor_view %b, shape = [100], strides = [1] : tensor_view<100xf32, strides=[1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(16), padding_value = zero, tensor_view<100xf32, strides=[1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(16), tensor_view<100xf32, strides=[1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8, %v9 = load_view_tko relaxed device %v3[%v5] : partition_view<tile=(16), padding_value = zero, tensor_view<100xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
    %v10 = store_view_tko relaxed device %v8, %v4[%v5] token = %v9 : tile<16xf32>, partition_view<tile=(16), tensor_view<100xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
