// test: run
// grid: 10 1 1
// arg: f32[576] small
// arg: f32[576] small
// arg: f32[640] zeros
// Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f32>>
    %v7 = assume div_by<16>, %b : tile<ptr<f32>>
    %v8 = make_tensor_view %v6, shape = [8, 72], strides = [72, 1] : tensor_view<8x72xf32, strides=[72, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(8x8), tensor_view<8x72xf32, strides=[72, 1]>>
    %v10 = make_tensor_view %v7, shape = [72, 8], strides = [8, 1] : tensor_view<72x8xf32, strides=[8, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(8x8), tensor_view<72x8xf32, strides=[8, 1]>>
    %v12 = constant <f32: 0.0> : tile<8x8xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<8x8xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(8x8), tensor_view<8x72xf32, strides=[72, 1]>>, tile<i32> -> tile<8x8xf32>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(8x8), tensor_view<72x8xf32, strides=[8, 1]>>, tile<i32> -> tile<8x8xf32>, token
      %v20 = mmaf %v16, %v18, %v13 : tile<8x8xf32>, tile<8x8xf32>, tile<8x8xf32>
      continue %v20 : tile<8x8xf32>
    }
    %v21 = assume div_by<16>, %c : tile<ptr<f32>>
    %v22 = make_tensor_view %v21, shape = [80, 8], strides = [8, 1] : tensor_view<80x8xf32, strides=[8, 1]>
    %v23 = make_partition_view %v22 : partition_view<tile=(8x8), tensor_view<80x8xf32, strides=[8, 1]>>
    %v24 = store_view_tko weak %v15, %v23[%v1, %v4] : tile<8x8xf32>, partition_view<tile=(8x8), tensor_view<80x8xf32, strides=[8, 1]>>, tile<i32> -> token
    return
  }
}
