// test: run
// grid: 7 3 1
// arg: f32[1000] random
// arg: f32[2688] zeros
// arg: i64[4] zeros
// Tiles of [8, 16] that start every [3, 20] elements; how many there are.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<i64>>) {
    %v1 = make_tensor_view %a, shape = [20, 50], strides = [50, 1] : tensor_view<20x50xf32, strides=[50,1]>
    %v2 = make_strided_view %v1 : strided_view<tile=(8x16), traversal_strides=[3,20], padding_value = zero, tensor_view<20x50xf32, strides=[50,1]>>
    %v3, %v4, %v5 = get_tile_block_id : tile<i32>
    %v6, %v7 = load_view_tko weak %v2[%v3, %v4] : strided_view<tile=(8x16), traversal_strides=[3,20], padding_value = zero, tensor_view<20x50xf32, strides=[50,1]>>, tile<i32> -> tile<8x16xf32>, token
    %v8 = constant <i32: 3> : tile<i32>
    %v9 = muli %v3, %v8 : tile<i32>
    %v10 = addi %v9, %v4 : tile<i32>
    %v11 = reshape %v6 : tile<8x16xf32> -> tile<128xf32>
    %v12 = make_tensor_view %b, shape = [2688], strides = [1] : tensor_view<2688xf32, strides=[1]>
    %v13 = make_partition_view %v12 : partition_view<tile=(128), tensor_view<2688xf32, strides=[1]>>
    %v14 = store_view_tko weak %v11, %v13[%v10] : tile<128xf32>, partition_view<tile=(128), tensor_view<2688xf32, strides=[1]>>, tile<i32> -> token
    %v15:2 = get_index_space_shape %v2 : strided_view<tile=(8x16), traversal_strides=[3,20], padding_value = zero, tensor_view<20x50xf32, strides=[50,1]>> -> tile<i64>
    %v16 = constant <i32: 0> : tile<i32>
    %v17 = offset %c, %v16 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %v18 = store_ptr_tko relaxed device %v17, %v15#0 : tile<ptr<i64>>, tile<i64> -> token
    %v19 = constant <i32: 1> : tile<i32>
    %v20 = offset %c, %v19 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %v21 = store_ptr_tko relaxed device %v20, %v15#1 : tile<ptr<i64>>, tile<i64> -> token
    return
  }
}
