// test: run
// has: mma.sync.aligned.m16n8k8.row.col.f32.f16
// grid: 10 1 1
// arg: f16[1152] small
// arg: f16[1152] small
// arg: f32[2560] zeros
// Half as deep as the larger instruction. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f16>>
    %v7 = assume div_by<16>, %b : tile<ptr<f16>>
    %v8 = make_tensor_view %v6, shape = [16, 72], strides = [72, 1] : tensor_view<16x72xf16, strides=[72, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(16x8), tensor_view<16x72xf16, strides=[72, 1]>>
    %v10 = make_tensor_view %v7, shape = [72, 16], strides = [16, 1] : tensor_view<72x16xf16, strides=[16, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(8x16), tensor_view<72x16xf16, strides=[16, 1]>>
    %v12 = constant <f32: 0.0> : tile<16x16xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<16x16xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(16x8), tensor_view<16x72xf16, strides=[72, 1]>>, tile<i32> -> tile<16x8xf16>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(8x16), tensor_view<72x16xf16, strides=[16, 1]>>, tile<i32> -> tile<8x16xf16>, token
      %v20 = mmaf %v16, %v18, %v13 : tile<16x8xf16>, tile<8x16xf16>, tile<16x16xf32>
      continue %v20 : tile<16x16xf32>
    }
    %v21 = assume div_by<16>, %c : tile<ptr<f32>>
    %v22 = make_tensor_view %v21, shape = [160, 16], strides = [16, 1] : tensor_view<160x16xf32, strides=[16, 1]>
    %v23 = make_partition_view %v22 : partition_view<tile=(16x16), tensor_view<160x16xf32, strides=[16, 1]>>
    %v24 = store_view_tko weak %v15, %v23[%v1, %v4] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<160x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
