// test: run
// arg: i32 = 33
// arg: i32 = 10
// arg: f32[1] zeros
// arg: i32[16] zeros
// Extents, and how many tiles there are along every axis.
cuda_tile.module @kernels {
  entry @kernel(%n: tile<i32>, %m: tile<i32>, %a: tile<ptr<f32>>, %c: tile<ptr<i32>>) {
    %v1 = make_tensor_view %a, shape = [%n, %m, 7], strides = [%m, 7, 1] : tile<i32> -> tensor_view<?x?x7xf32, strides=[?,7,1]>
    %v2:3 = get_tensor_shape %v1 : tensor_view<?x?x7xf32, strides=[?,7,1]> -> tile<i32>
    %v3 = make_partition_view %v1 : partition_view<tile=(4x8x2), tensor_view<?x?x7xf32, strides=[?,7,1]>, dim_map=[1, 0, 2]>
    %v4:3 = get_index_space_shape %v3 : partition_view<tile=(4x8x2), tensor_view<?x?x7xf32, strides=[?,7,1]>, dim_map=[1, 0, 2]> -> tile<i32>
    %v5 = make_strided_view %v1 : strided_view<tile=(4x8x2), traversal_strides=[3,1000,5], tensor_view<?x?x7xf32, strides=[?,7,1]>>
    %v6:3 = get_index_space_shape %v5 : strided_view<tile=(4x8x2), traversal_strides=[3,1000,5], tensor_view<?x?x7xf32, strides=[?,7,1]>> -> tile<i32>
    %v7 = constant <i32: 0> : tile<i32>
    %v8 = offset %c, %v7 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v9 = store_ptr_tko weak %v8, %v2#0 : tile<ptr<i32>>, tile<i32> -> token
    %v10 = constant <i32: 1> : tile<i32>
    %v11 = offset %c, %v10 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v12 = store_ptr_tko weak %v11, %v2#1 : tile<ptr<i32>>, tile<i32> -> token
    %v13 = constant <i32: 2> : tile<i32>
    %v14 = offset %c, %v13 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v15 = store_ptr_tko weak %v14, %v2#2 : tile<ptr<i32>>, tile<i32> -> token
    %v16 = constant <i32: 3> : tile<i32>
    %v17 = offset %c, %v16 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v18 = store_ptr_tko weak %v17, %v4#0 : tile<ptr<i32>>, tile<i32> -> token
    %v19 = constant <i32: 4> : tile<i32>
    %v20 = offset %c, %v19 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v21 = store_ptr_tko weak %v20, %v4#1 : tile<ptr<i32>>, tile<i32> -> token
    %v22 = constant <i32: 5> : tile<i32>
    %v23 = offset %c, %v22 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v24 = store_ptr_tko weak %v23, %v4#2 : tile<ptr<i32>>, tile<i32> -> token
    %v25 = constant <i32: 6> : tile<i32>
    %v26 = offset %c, %v25 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v27 = store_ptr_tko weak %v26, %v6#0 : tile<ptr<i32>>, tile<i32> -> token
    %v28 = constant <i32: 7> : tile<i32>
    %v29 = offset %c, %v28 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v30 = store_ptr_tko weak %v29, %v6#1 : tile<ptr<i32>>, tile<i32> -> token
    %v31 = constant <i32: 8> : tile<i32>
    %v32 = offset %c, %v31 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v33 = store_ptr_tko weak %v32, %v6#2 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
