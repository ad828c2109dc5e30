// test: run
// grid: 2 2 1
// arg: f4E2M1FN[256] random
// arg: f4E2M1FN[256] random
// Elements of four bits, two in a byte: a tensor of [8, 64].
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f4E2M1FN>>, %b: tile<ptr<f4E2M1FN>>) {
    %v1 = make_tensor_view %a, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf4E2M1FN, strides=[64,1]>
    %v2 = make_tensor_view %b, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf4E2M1FN, strides=[64,1]>
    %v3 = make_partition_view %v1 : partition_view<tile=(4x32), padding_value = zero, tensor_view<8x64xf4E2M1FN, strides=[64,1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(4x32), tensor_view<8x64xf4E2M1FN, strides=[64,1]>>
    %v5, %v6, %v7 = get_tile_block_id : tile<i32>
    %v8, %v9 = load_view_tko weak %v3[%v5, %v6] : partition_view<tile=(4x32), padding_value = zero, tensor_view<8x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<4x32xf4E2M1FN>, token
    %v10 = store_view_tko weak %v8, %v4[%v5, %v6] : tile<4x32xf4E2M1FN>, partition_view<tile=(4x32), tensor_view<8x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
