// test: run
// tolerance: 2e-5
// grid: 5 1 1
// arg: f8E5M2[4096] small
// arg: f8E5M2[8192] small
// arg: f8E8M0FNU[128] random01
// arg: f8E8M0FNU[256] random01
// arg: f32[10240] zeros
// Tiles with one factor per row and column. Block number x takes x steps.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f8E5M2>>, %b: tile<ptr<f8E5M2>>, %s: tile<ptr<f8E8M0FNU>>, %t: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f8E5M2>>
    %v7 = make_tensor_view %v6, shape = [32, 128], strides = [128, 1] : tensor_view<32x128xf8E5M2, strides=[128, 1]>
    %v8 = make_partition_view %v7 : partition_view<tile=(32x32), tensor_view<32x128xf8E5M2, strides=[128, 1]>>
    %v9 = assume div_by<16>, %b : tile<ptr<f8E5M2>>
    %v10 = make_tensor_view %v9, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf8E5M2, strides=[64, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(32x64), tensor_view<128x64xf8E5M2, strides=[64, 1]>>
    %v12 = assume div_by<16>, %s : tile<ptr<f8E8M0FNU>>
    %v13 = make_tensor_view %v12, shape = [32, 4], strides = [4, 1] : tensor_view<32x4xf8E8M0FNU, strides=[4, 1]>
    %v14 = make_partition_view %v13 : partition_view<tile=(32x1), tensor_view<32x4xf8E8M0FNU, strides=[4, 1]>>
    %v15 = assume div_by<16>, %t : tile<ptr<f8E8M0FNU>>
    %v16 = make_tensor_view %v15, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xf8E8M0FNU, strides=[64, 1]>
    %v17 = make_partition_view %v16 : partition_view<tile=(1x64), tensor_view<4x64xf8E8M0FNU, strides=[64, 1]>>
    %v18 = constant <f32: 0.0> : tile<32x64xf32>
    %v21 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v19 = %v18) -> (tile<32x64xf32>) {
      %v22, %v23 = load_view_tko weak %v8[%v4, %i] : partition_view<tile=(32x32), tensor_view<32x128xf8E5M2, strides=[128, 1]>>, tile<i32> -> tile<32x32xf8E5M2>, token
      %v24, %v25 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(32x64), tensor_view<128x64xf8E5M2, strides=[64, 1]>>, tile<i32> -> tile<32x64xf8E5M2>, token
      %v26, %v27 = load_view_tko weak %v14[%v4, %i] : partition_view<tile=(32x1), tensor_view<32x4xf8E8M0FNU, strides=[4, 1]>>, tile<i32> -> tile<32x1xf8E8M0FNU>, token
      %v28, %v29 = load_view_tko weak %v17[%i, %v4] : partition_view<tile=(1x64), tensor_view<4x64xf8E8M0FNU, strides=[64, 1]>>, tile<i32> -> tile<1x64xf8E8M0FNU>, token
      %v30 = mmaf_scaled %v22, %v24, %v19, %v26, %v28 : tile<32x32xf8E5M2>, tile<32x64xf8E5M2>, tile<32x64xf32>, tile<32x1xf8E8M0FNU>, tile<1x64xf8E8M0FNU>
      continue %v30 : tile<32x64xf32>
    }
    %v31 = assume div_by<16>, %c : tile<ptr<f32>>
    %v32 = make_tensor_view %v31, shape = [160, 64], strides = [64, 1] : tensor_view<160x64xf32, strides=[64, 1]>
    %v33 = make_partition_view %v32 : partition_view<tile=(32x64), tensor_view<160x64xf32, strides=[64, 1]>>
    %v34 = store_view_tko weak %v21, %v33[%v1, %v4] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<160x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
