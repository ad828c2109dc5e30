// test: run
// arg: f32[1024] random
// arg: f32[1024] zeros
// Views of the block's own memory: a transposition.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %v1 = alloca num_elem = 1024, alignment = 16 : tile<ptr<f32>>
    %v2 = make_tensor_view %v1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %v3 = make_tensor_view %v1, shape = [32, 32], strides = [1, 32] : tensor_view<32x32xf32, strides=[1,32]>
    %v4 = make_partition_view %v2 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %v5 = make_partition_view %v3 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[1,32]>>
    %v6 = make_tensor_view %a, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %v7 = make_tensor_view %b, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %v8 = make_partition_view %v6 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %v9 = make_partition_view %v7 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %v10 = constant <i32: 0> : tile<i32>
    %v11, %v12 = load_view_tko weak %v8[%v10, %v10] : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> tile<32x32xf32>, token
    %v13 = store_view_tko weak %v11, %v4[%v10, %v10] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    %v14, %v15 = load_view_tko weak %v5[%v10, %v10] token = %v13 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[1,32]>>, tile<i32> -> tile<32x32xf32>, token
    %v16 = store_view_tko weak %v14, %v9[%v10, %v10] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
