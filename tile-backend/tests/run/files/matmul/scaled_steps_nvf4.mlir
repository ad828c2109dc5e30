// test: run
// conflicts: 5120
// tolerance: 2e-5
// grid: 5 1 1
// arg: f4E2M1FN[16384] small
// arg: f4E2M1FN[16384] small
// arg: f8E4M3FN[1024] random01
// arg: f8E4M3FN[1024] random01
// arg: f32[5120] zeros
// Blocks of 16 with factors that are no powers of two. Block number x takes x steps.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f4E2M1FN>>, %b: tile<ptr<f4E2M1FN>>, %s: tile<ptr<f8E4M3FN>>, %t: tile<ptr<f8E4M3FN>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f4E2M1FN>>
    %v7 = make_tensor_view %v6, shape = [32, 512], strides = [512, 1] : tensor_view<32x512xf4E2M1FN, strides=[512, 1]>
    %v8 = make_partition_view %v7 : partition_view<tile=(32x128), tensor_view<32x512xf4E2M1FN, strides=[512, 1]>>
    %v9 = assume div_by<16>, %b : tile<ptr<f4E2M1FN>>
    %v10 = make_tensor_view %v9, shape = [512, 32], strides = [32, 1] : tensor_view<512x32xf4E2M1FN, strides=[32, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(128x32), tensor_view<512x32xf4E2M1FN, strides=[32, 1]>>
    %v12 = assume div_by<16>, %s : tile<ptr<f8E4M3FN>>
    %v13 = make_tensor_view %v12, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf8E4M3FN, strides=[32, 1]>
    %v14 = make_partition_view %v13 : partition_view<tile=(32x8), tensor_view<32x32xf8E4M3FN, strides=[32, 1]>>
    %v15 = assume div_by<16>, %t : tile<ptr<f8E4M3FN>>
    %v16 = make_tensor_view %v15, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf8E4M3FN, strides=[32, 1]>
    %v17 = make_partition_view %v16 : partition_view<tile=(8x32), tensor_view<32x32xf8E4M3FN, strides=[32, 1]>>
    %v18 = constant <f32: 0.0> : tile<32x32xf32>
    %v21 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v19 = %v18) -> (tile<32x32xf32>) {
      %v22, %v23 = load_view_tko weak %v8[%v4, %i] : partition_view<tile=(32x128), tensor_view<32x512xf4E2M1FN, strides=[512, 1]>>, tile<i32> -> tile<32x128xf4E2M1FN>, token
      %v24, %v25 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(128x32), tensor_view<512x32xf4E2M1FN, strides=[32, 1]>>, tile<i32> -> tile<128x32xf4E2M1FN>, token
      %v26, %v27 = load_view_tko weak %v14[%v4, %i] : partition_view<tile=(32x8), tensor_view<32x32xf8E4M3FN, strides=[32, 1]>>, tile<i32> -> tile<32x8xf8E4M3FN>, token
      %v28, %v29 = load_view_tko weak %v17[%i, %v4] : partition_view<tile=(8x32), tensor_view<32x32xf8E4M3FN, strides=[32, 1]>>, tile<i32> -> tile<8x32xf8E4M3FN>, token
      %v30 = mmaf_scaled %v22, %v24, %v19, %v26, %v28 : tile<32x128xf4E2M1FN>, tile<128x32xf4E2M1FN>, tile<32x32xf32>, tile<32x8xf8E4M3FN>, tile<8x32xf8E4M3FN>
      continue %v30 : tile<32x32xf32>
    }
    %v31 = assume div_by<16>, %c : tile<ptr<f32>>
    %v32 = make_tensor_view %v31, shape = [160, 32], strides = [32, 1] : tensor_view<160x32xf32, strides=[32, 1]>
    %v33 = make_partition_view %v32 : partition_view<tile=(32x32), tensor_view<160x32xf32, strides=[32, 1]>>
    %v34 = store_view_tko weak %v21, %v33[%v1, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<160x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
