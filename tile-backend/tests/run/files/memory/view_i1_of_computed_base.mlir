// test: run
// grid: 2 1 1
// arg: i1[80] random
// arg: i1[77] zeros
// arg: i1 = 1
// A view of `i1` from a pointer that is computed.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i1>>, %b: tile<ptr<i1>>, %c: tile<i1>) {
    %v1 = constant <i32: 3> : tile<i32>
    %v2 = offset %a, %v1 : tile<ptr<i1>>, tile<i32> -> tile<ptr<i1>>
    %v3 = select %c, %v2, %a : tile<i1>, tile<ptr<i1>>
    %v4 = make_tensor_view %v3, shape = [77], strides = [1] : tensor_view<77xi1, strides=[1]>
    %v5 = make_tensor_view %b, shape = [77], strides = [1] : tensor_view<77xi1, strides=[1]>
    %v6 = make_partition_view %v4 : partition_view<tile=(64), tensor_view<77xi1, strides=[1]>>
    %v7 = make_partition_view %v5 : partition_view<tile=(64), tensor_view<77xi1, strides=[1]>>
    %v8, %v9, %v10 = get_tile_block_id : tile<i32>
    %v11, %v12 = load_view_tko weak %v6[%v8] : partition_view<tile=(64), tensor_view<77xi1, strides=[1]>>, tile<i32> -> tile<64xi1>, token
    %v13 = store_view_tko weak %v11, %v7[%v8] : tile<64xi1>, partition_view<tile=(64), tensor_view<77xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
