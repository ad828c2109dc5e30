// test: run
// has: cp.async.wait_group
// conflicts: 0
// grid: 10 1 1
// arg: f16[9216] small
// arg: f16[9216] small
// arg: f32[10240] zeros
// Each tile is multiplied twice, in a loop. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f16>>
    %v7 = assume div_by<16>, %b : tile<ptr<f16>>
    %v8 = make_tensor_view %v6, shape = [32, 288], strides = [288, 1] : tensor_view<32x288xf16, strides=[288, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(32x32), tensor_view<32x288xf16, strides=[288, 1]>>
    %v10 = make_tensor_view %v7, shape = [288, 32], strides = [32, 1] : tensor_view<288x32xf16, strides=[32, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(32x32), tensor_view<288x32xf16, strides=[32, 1]>>
    %v12 = constant <f32: 0.0> : tile<32x32xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<32x32xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(32x32), tensor_view<32x288xf16, strides=[288, 1]>>, tile<i32> -> tile<32x32xf16>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(32x32), tensor_view<288x32xf16, strides=[32, 1]>>, tile<i32> -> tile<32x32xf16>, token
      %v20 = constant <i32: 0> : tile<i32>
      %v21 = constant <i32: 1> : tile<i32>
      %v22 = constant <i32: 2> : tile<i32>
      %v25 = for %j in (%v20 to %v22, step %v21) : tile<i32> iter_values(%v23 = %v13) -> (tile<32x32xf32>) {
        %v26 = mmaf %v16, %v18, %v23 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
        continue %v26 : tile<32x32xf32>
      }
      continue %v25 : tile<32x32xf32>
    }
    %v27 = assume div_by<16>, %c : tile<ptr<f32>>
    %v28 = make_tensor_view %v27, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xf32, strides=[32, 1]>
    %v29 = make_partition_view %v28 : partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>
    %v30 = store_view_tko weak %v15, %v29[%v1, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
