// test: run
// grid: 14 1 1
// arg: f32[67] random
// arg: f32[224] zeros
// arg: i64[4] zeros
// Tiles of [16] that start every [5] elements; how many there are.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<i64>>) {
    %v1 = make_tensor_view %a, shape = [67], strides = [1] : tensor_view<67xf32, strides=[1]>
    %v2 = make_strided_view %v1 : strided_view<tile=(16), traversal_strides=[5], padding_value = zero, tensor_view<67xf32, strides=[1]>>
    %v3, %v4, %v5 = get_tile_block_id : tile<i32>
    %v6, %v7 = load_view_tko weak %v2[%v3] : strided_view<tile=(16), traversal_strides=[5], padding_value = zero, tensor_view<67xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
    %v8 = make_tensor_view %b, shape = [224], strides = [1] : tensor_view<224xf32, strides=[1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(16), tensor_view<224xf32, strides=[1]>>
    %v10 = store_view_tko weak %v6, %v9[%v3] : tile<16xf32>, partition_view<tile=(16), tensor_view<224xf32, strides=[1]>>, tile<i32> -> token
    %v11 = get_index_space_shape %v2 : strided_view<tile=(16), traversal_strides=[5], padding_value = zero, tensor_view<67xf32, strides=[1]>> -> tile<i64>
    %v12 = constant <i32: 0> : tile<i32>
    %v13 = offset %c, %v12 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %v14 = store_ptr_tko relaxed device %v13, %v11 : tile<ptr<i64>>, tile<i64> -> token
    return
  }
}
