// test: run
// has: ldmatrix.sync.aligned.m8n8.x4.trans
// grid: 5 1 1
// arg: f8E5M2[16384] small
// arg: f8E5M2[4096] small
// arg: f32[5120] zeros
// Floats of eight bits, neighbours along rows and columns.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f8E5M2>>, %b: tile<ptr<f8E5M2>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f8E5M2>>
    %v7 = assume div_by<16>, %b : tile<ptr<f8E5M2>>
    %v8 = make_tensor_view %v6, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf8E5M2, strides=[64, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(64x64), tensor_view<256x64xf8E5M2, strides=[64, 1]>>
    %v10 = make_tensor_view %v7, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xf8E5M2, strides=[16, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(64x16), tensor_view<256x16xf8E5M2, strides=[16, 1]>>
    %v12 = constant <f32: 0.0> : tile<64x16xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<64x16xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%i, %v4] : partition_view<tile=(64x64), tensor_view<256x64xf8E5M2, strides=[64, 1]>>, tile<i32> -> tile<64x64xf8E5M2>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(64x16), tensor_view<256x16xf8E5M2, strides=[16, 1]>>, tile<i32> -> tile<64x16xf8E5M2>, token
      %v20 = permute %v16 [1, 0] : tile<64x64xf8E5M2> -> tile<64x64xf8E5M2>
      %v21 = mmaf %v20, %v18, %v13 : tile<64x64xf8E5M2>, tile<64x16xf8E5M2>, tile<64x16xf32>
      continue %v21 : tile<64x16xf32>
    }
    %v22 = assume div_by<16>, %c : tile<ptr<f32>>
    %v23 = make_tensor_view %v22, shape = [320, 16], strides = [16, 1] : tensor_view<320x16xf32, strides=[16, 1]>
    %v24 = make_partition_view %v23 : partition_view<tile=(64x16), tensor_view<320x16xf32, strides=[16, 1]>>
    %v25 = store_view_tko weak %v15, %v24[%v1, %v4] : tile<64x16xf32>, partition_view<tile=(64x16), tensor_view<320x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
