// test: run
// has: cp.async.wait_group
// grid: 10 1 1
// arg: f32[4608] small
// arg: f32[4608] small
// arg: f32[10240] zeros
// Its factors are columns in memory. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<f32>>
    %v7 = assume div_by<16>, %b : tile<ptr<f32>>
    %v8 = make_tensor_view %v6, shape = [144, 32], strides = [32, 1] : tensor_view<144x32xf32, strides=[32, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(16x32), tensor_view<144x32xf32, strides=[32, 1]>>
    %v10 = make_tensor_view %v7, shape = [144, 32], strides = [32, 1] : tensor_view<144x32xf32, strides=[32, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(16x32), tensor_view<144x32xf32, strides=[32, 1]>>
    %v12 = constant <f32: 0.0> : tile<32x32xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<32x32xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%i, %v4] : partition_view<tile=(16x32), tensor_view<144x32xf32, strides=[32, 1]>>, tile<i32> -> tile<16x32xf32>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(16x32), tensor_view<144x32xf32, strides=[32, 1]>>, tile<i32> -> tile<16x32xf32>, token
      %v20 = permute %v16 [1, 0] : tile<16x32xf32> -> tile<32x16xf32>
      %v21 = mmaf %v20, %v18, %v13 : tile<32x16xf32>, tile<16x32xf32>, tile<32x32xf32>
      continue %v21 : tile<32x32xf32>
    }
    %v22 = assume div_by<16>, %c : tile<ptr<f32>>
    %v23 = make_tensor_view %v22, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xf32, strides=[32, 1]>
    %v24 = make_partition_view %v23 : partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>
    %v25 = store_view_tko weak %v15, %v24[%v1, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
