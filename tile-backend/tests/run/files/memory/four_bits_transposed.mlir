// test: run
// arg: f4E2M1FN[256] random
// arg: f4E2M1FN[256] random
// The tile is stored transposed into a transposed tensor.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f4E2M1FN>>, %b: tile<ptr<f4E2M1FN>>) {
    %v1 = make_tensor_view %a, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf4E2M1FN, strides=[16,1]>
    %v2 = make_tensor_view %b, shape = [16, 32], strides = [1, 16] : tensor_view<16x32xf4E2M1FN, strides=[1,16]>
    %v3 = make_partition_view %v1 : partition_view<tile=(32x16), tensor_view<32x16xf4E2M1FN, strides=[16,1]>>
    %v4 = make_partition_view %v2 : partition_view<tile=(16x32), tensor_view<16x32xf4E2M1FN, strides=[1,16]>>
    %v5 = constant <i32: 0> : tile<i32>
    %v6, %v7 = load_view_tko weak %v3[%v5, %v5] : partition_view<tile=(32x16), tensor_view<32x16xf4E2M1FN, strides=[16,1]>>, tile<i32> -> tile<32x16xf4E2M1FN>, token
    %v8 = permute %v6 [1, 0] : tile<32x16xf4E2M1FN> -> tile<16x32xf4E2M1FN>
    %v9 = store_view_tko weak %v8, %v4[%v5, %v5] : tile<16x32xf4E2M1FN>, partition_view<tile=(16x32), tensor_view<16x32xf4E2M1FN, strides=[1,16]>>, tile<i32> -> token
    return
  }
}
