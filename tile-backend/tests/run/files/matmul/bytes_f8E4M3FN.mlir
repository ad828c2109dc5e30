// test: run
// has: ldmatrix.sync.aligned.m8n8.x4.trans
// conflicts: 0
// grid: 5 1 1
// arg: f8E4M3FN[4096] small
// arg: f8E4M3FN[8192] small
// arg: f32[10240] zeros
// Floats of eight bits, neighbours along columns.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f8E4M3FN>>
    %v7 = assume div_by<16>, %b : tile<ptr<f8E4M3FN>>
    %v8 = make_tensor_view %v6, shape = [32, 128], strides = [128, 1] : tensor_view<32x128xf8E4M3FN, strides=[128, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(32x32), tensor_view<32x128xf8E4M3FN, strides=[128, 1]>>
    %v10 = make_tensor_view %v7, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf8E4M3FN, strides=[64, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(32x64), tensor_view<128x64xf8E4M3FN, strides=[64, 1]>>
    %v12 = constant <f32: 0.0> : tile<32x64xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<32x64xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(32x32), tensor_view<32x128xf8E4M3FN, strides=[128, 1]>>, tile<i32> -> tile<32x32xf8E4M3FN>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(32x64), tensor_view<128x64xf8E4M3FN, strides=[64, 1]>>, tile<i32> -> tile<32x64xf8E4M3FN>, token
      %v20 = mmaf %v16, %v18, %v13 : tile<32x32xf8E4M3FN>, tile<32x64xf8E4M3FN>, tile<32x64xf32>
      continue %v20 : tile<32x64xf32>
    }
    %v21 = assume div_by<16>, %c : tile<ptr<f32>>
    %v22 = make_tensor_view %v21, shape = [160, 64], strides = [64, 1] : tensor_view<160x64xf32, strides=[64, 1]>
    %v23 = make_partition_view %v22 : partition_view<tile=(32x64), tensor_view<160x64xf32, strides=[64, 1]>>
    %v24 = store_view_tko weak %v15, %v23[%v1, %v4] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<160x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
