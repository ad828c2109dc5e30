// test: run
// conflicts: 720
// has: cp.async.wait_group
// grid: 10 1 1
// arg: f16[18432] small
// arg: f16[18432] small
// arg: f32[10240] zeros
// Of each tile one half is multiplied, which one the iteration says. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f16>>
    %v7 = assume div_by<16>, %b : tile<ptr<f16>>
    %v8 = make_tensor_view %v6, shape = [32, 576], strides = [576, 1] : tensor_view<32x576xf16, strides=[576, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(32x64), tensor_view<32x576xf16, strides=[576, 1]>>
    %v10 = make_tensor_view %v7, shape = [576, 32], strides = [32, 1] : tensor_view<576x32xf16, strides=[32, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(64x32), tensor_view<576x32xf16, strides=[32, 1]>>
    %v12 = constant <f32: 0.0> : tile<32x32xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<32x32xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(32x64), tensor_view<32x576xf16, strides=[576, 1]>>, tile<i32> -> tile<32x64xf16>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(64x32), tensor_view<576x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
      %v20 = constant <i32: 1> : tile<i32>
      %v21 = constant <i32: 0> : tile<i32>
      %v22 = andi %i, %v20 : tile<i32>
      %v23 = extract %v16[%v21, %v22] : tile<32x64xf16> -> tile<32x32xf16>
      %v24 = extract %v18[%v22, %v21] : tile<64x32xf16> -> tile<32x32xf16>
      %v25 = mmaf %v23, %v24, %v13 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %v25 : tile<32x32xf32>
    }
    %v26 = assume div_by<16>, %c : tile<ptr<f32>>
    %v27 = make_tensor_view %v26, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xf32, strides=[32, 1]>
    %v28 = make_partition_view %v27 : partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>
    %v29 = store_view_tko weak %v15, %v28[%v1, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
