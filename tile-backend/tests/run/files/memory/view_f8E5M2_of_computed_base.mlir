// test: run
// grid: 2 1 1
// arg: f8E5M2[80] random
// arg: f8E5M2[77] zeros
// arg: i1 = 1
// A view of `f8E5M2` from a pointer that is computed.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f8E5M2>>, %b: tile<ptr<f8E5M2>>, %c: tile<i1>) {
    %v1 = constant <i32: 3> : tile<i32>
    %v2 = offset %a, %v1 : tile<ptr<f8E5M2>>, tile<i32> -> tile<ptr<f8E5M2>>
    %v3 = select %c, %v2, %a : tile<i1>, tile<ptr<f8E5M2>>
    %v4 = make_tensor_view %v3, shape = [77], strides = [1] : tensor_view<77xf8E5M2, strides=[1]>
    %v5 = make_tensor_view %b, shape = [77], strides = [1] : tensor_view<77xf8E5M2, strides=[1]>
    %v6 = make_partition_view %v4 : partition_view<tile=(64), tensor_view<77xf8E5M2, strides=[1]>>
    %v7 = make_partition_view %v5 : partition_view<tile=(64), tensor_view<77xf8E5M2, strides=[1]>>
    %v8, %v9, %v10 = get_tile_block_id : tile<i32>
    %v11, %v12 = load_view_tko weak %v6[%v8] : partition_view<tile=(64), tensor_view<77xf8E5M2, strides=[1]>>, tile<i32> -> tile<64xf8E5M2>, token
    %v13 = store_view_tko weak %v11, %v7[%v8] : tile<64xf8E5M2>, partition_view<tile=(64), tensor_view<77xf8E5M2, strides=[1]>>, tile<i32> -> token
    return
  }
}
