// test: run
// tolerance: 2e-5
// grid: 5 1 1
// arg: f4E2M1FN[2048] small
// arg: f4E2M1FN[2048] small
// arg: f8E4M3FN[128] random01
// arg: f8E4M3FN[128] random01
// arg: f32[1280] zeros
// Shallower than the instruction: element by element. Block number x takes x steps.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f4E2M1FN>>, %b: tile<ptr<f4E2M1FN>>, %s: tile<ptr<f8E4M3FN>>, %t: tile<ptr<f8E4M3FN>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f4E2M1FN>>
    %v7 = make_tensor_view %v6, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf4E2M1FN, strides=[128, 1]>
    %v8 = make_partition_view %v7 : partition_view<tile=(16x32), tensor_view<16x128xf4E2M1FN, strides=[128, 1]>>
    %v9 = assume div_by<16>, %b : tile<ptr<f4E2M1FN>>
    %v10 = make_tensor_view %v9, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf4E2M1FN, strides=[16, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(32x16), tensor_view<128x16xf4E2M1FN, strides=[16, 1]>>
    %v12 = assume div_by<16>, %s : tile<ptr<f8E4M3FN>>
    %v13 = make_tensor_view %v12, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf8E4M3FN, strides=[8, 1]>
    %v14 = make_partition_view %v13 : partition_view<tile=(16x2), tensor_view<16x8xf8E4M3FN, strides=[8, 1]>>
    %v15 = assume div_by<16>, %t : tile<ptr<f8E4M3FN>>
    %v16 = make_tensor_view %v15, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf8E4M3FN, strides=[16, 1]>
    %v17 = make_partition_view %v16 : partition_view<tile=(2x16), tensor_view<8x16xf8E4M3FN, strides=[16, 1]>>
    %v18 = constant <f32: 0.0> : tile<16x16xf32>
    %v21 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v19 = %v18) -> (tile<16x16xf32>) {
      %v22, %v23 = load_view_tko weak %v8[%v4, %i] : partition_view<tile=(16x32), tensor_view<16x128xf4E2M1FN, strides=[128, 1]>>, tile<i32> -> tile<16x32xf4E2M1FN>, token
      %v24, %v25 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(32x16), tensor_view<128x16xf4E2M1FN, strides=[16, 1]>>, tile<i32> -> tile<32x16xf4E2M1FN>, token
      %v26, %v27 = load_view_tko weak %v14[%v4, %i] : partition_view<tile=(16x2), tensor_view<16x8xf8E4M3FN, strides=[8, 1]>>, tile<i32> -> tile<16x2xf8E4M3FN>, token
      %v28, %v29 = load_view_tko weak %v17[%i, %v4] : partition_view<tile=(2x16), tensor_view<8x16xf8E4M3FN, strides=[16, 1]>>, tile<i32> -> tile<2x16xf8E4M3FN>, token
      %v30 = mmaf_scaled %v22, %v24, %v19, %v26, %v28 : tile<16x32xf4E2M1FN>, tile<32x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xf8E4M3FN>, tile<2x16xf8E4M3FN>
      continue %v30 : tile<16x16xf32>
    }
    %v31 = assume div_by<16>, %c : tile<ptr<f32>>
    %v32 = make_tensor_view %v31, shape = [80, 16], strides = [16, 1] : tensor_view<80x16xf32, strides=[16, 1]>
    %v33 = make_partition_view %v32 : partition_view<tile=(16x16), tensor_view<80x16xf32, strides=[16, 1]>>
    %v34 = store_view_tko weak %v21, %v33[%v1, %v4] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<80x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
