// test: run
// arg: i8[3000] random
// arg: i8[512] zeros
// Rows of bytes, by indices of a byte.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>) {
    %v1 = make_tensor_view %a, shape = [60, 50], strides = [50, 1] : tensor_view<60x50xi8, strides=[50,1]>
    %v2 = iota : tile<32xi8>
    %v3 = constant <i8: 7> : tile<32xi8>
    %v4 = muli %v2, %v3 : tile<32xi8>
    %v5 = constant <i8: 70> : tile<32xi8>
    %v6 = remi %v4, %v5 unsigned : tile<32xi8>
    %v7 = constant <i32: 1> : tile<i32>
    %v8 = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %v10 = constant <i32: 0> : tile<i32>
    %v11 = make_gather_scatter_view %v1 : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<60x50xi8, strides=[50,1]>, sparse_dim=0>
    %v12, %v13 = load_view_tko weak %v11[%v6, %v7] : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<60x50xi8, strides=[50,1]>, sparse_dim=0>, tile<32xi8>, tile<i32> -> tile<32x16xi8>, token
    %v14 = reshape %v12 : tile<32x16xi8> -> tile<512xi8>
    %v15 = store_view_tko weak %v14, %v9[%v10] : tile<512xi8>, partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
