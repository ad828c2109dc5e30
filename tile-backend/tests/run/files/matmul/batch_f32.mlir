// test: run
// has: cp.async.wait_group
// grid: 6 1 1
// arg: f32[5120] small
// arg: f32[5120] small
// arg: f32[6144] zeros
// Four products at once, element by element. Block number x takes x steps.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f32>>
    %v7 = make_tensor_view %v6, shape = [4, 16, 80], strides = [1280, 80, 1] : tensor_view<4x16x80xf32, strides=[1280, 80, 1]>
    %v8 = make_partition_view %v7 : partition_view<tile=(4x16x16), tensor_view<4x16x80xf32, strides=[1280, 80, 1]>>
    %v9 = assume div_by<16>, %b : tile<ptr<f32>>
    %v10 = make_tensor_view %v9, shape = [4, 80, 16], strides = [1280, 16, 1] : tensor_view<4x80x16xf32, strides=[1280, 16, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(4x16x16), tensor_view<4x80x16xf32, strides=[1280, 16, 1]>>
    %v12 = assume div_by<16>, %c : tile<ptr<f32>>
    %v13 = make_tensor_view %v12, shape = [24, 16, 16], strides = [256, 16, 1] : tensor_view<24x16x16xf32, strides=[256, 16, 1]>
    %v14 = make_partition_view %v13 : partition_view<tile=(4x16x16), tensor_view<24x16x16xf32, strides=[256, 16, 1]>>
    %v15 = constant <f32: 0.0> : tile<4x16x16xf32>
    %v18 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v16 = %v15) -> (tile<4x16x16xf32>) {
      %v19, %v20 = load_view_tko weak %v8[%v4, %v4, %i] : partition_view<tile=(4x16x16), tensor_view<4x16x80xf32, strides=[1280, 80, 1]>>, tile<i32> -> tile<4x16x16xf32>, token
      %v21, %v22 = load_view_tko weak %v11[%v4, %i, %v4] : partition_view<tile=(4x16x16), tensor_view<4x80x16xf32, strides=[1280, 16, 1]>>, tile<i32> -> tile<4x16x16xf32>, token
      %v23 = mmaf %v19, %v21, %v16 : tile<4x16x16xf32>, tile<4x16x16xf32>, tile<4x16x16xf32>
      continue %v23 : tile<4x16x16xf32>
    }
    %v24 = store_view_tko weak %v18, %v14[%v1, %v4, %v4] : tile<4x16x16xf32>, partition_view<tile=(4x16x16), tensor_view<24x16x16xf32, strides=[256, 16, 1]>>, tile<i32> -> token
    return
  }
}
