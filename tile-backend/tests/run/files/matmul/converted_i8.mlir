// test: run
// has: cp.async.wait_group
// grid: 6 1 1
// arg: i8[20480] small
// arg: bf16[10240] small
// arg: f32[12288] zeros
// Integers that are converted first. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<i8>>, %b: tile<ptr<bf16>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<i8>>
    %v7 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v8 = make_tensor_view %v6, shape = [64, 320], strides = [320, 1] : tensor_view<64x320xi8, strides=[320, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(64x64), tensor_view<64x320xi8, strides=[320, 1]>>
    %v10 = make_tensor_view %v7, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xbf16, strides=[32, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(64x32), tensor_view<320x32xbf16, strides=[32, 1]>>
    %v12 = constant <f32: 0.0> : tile<64x32xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<64x32xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(64x64), tensor_view<64x320xi8, strides=[320, 1]>>, tile<i32> -> tile<64x64xi8>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(64x32), tensor_view<320x32xbf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xbf16>, token
      %v20 = itof %v16 signed rounding<nearest_even> : tile<64x64xi8> -> tile<64x64xbf16>
      %v21 = mmaf %v20, %v18, %v13 : tile<64x64xbf16>, tile<64x32xbf16>, tile<64x32xf32>
      continue %v21 : tile<64x32xf32>
    }
    %v22 = assume div_by<16>, %c : tile<ptr<f32>>
    %v23 = make_tensor_view %v22, shape = [384, 32], strides = [32, 1] : tensor_view<384x32xf32, strides=[32, 1]>
    %v24 = make_partition_view %v23 : partition_view<tile=(64x32), tensor_view<384x32xf32, strides=[32, 1]>>
    %v25 = store_view_tko weak %v15, %v24[%v1, %v4] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<384x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
