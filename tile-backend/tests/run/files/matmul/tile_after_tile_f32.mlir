// test: run
// has: cp.async.wait_group
// grid: 10 1 1
// arg: f32[9216] small
// arg: f32[4608] small
// arg: f32[20480] zeros
// A block computes two tiles, one after the other, element by element. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = constant <i32: 2> : tile<i32>
    %v7 = assume div_by<16>, %a : tile<ptr<f32>>
    %v8 = make_tensor_view %v7, shape = [64, 144], strides = [144, 1] : tensor_view<64x144xf32, strides=[144, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(32x16), tensor_view<64x144xf32, strides=[144, 1]>>
    %v10 = assume div_by<16>, %b : tile<ptr<f32>>
    %v11 = make_tensor_view %v10, shape = [144, 32], strides = [32, 1] : tensor_view<144x32xf32, strides=[32, 1]>
    %v12 = make_partition_view %v11 : partition_view<tile=(16x32), tensor_view<144x32xf32, strides=[32, 1]>>
    %v13 = assume div_by<16>, %c : tile<ptr<f32>>
    %v14 = make_tensor_view %v13, shape = [640, 32], strides = [32, 1] : tensor_view<640x32xf32, strides=[32, 1]>
    %v15 = make_partition_view %v14 : partition_view<tile=(32x32), tensor_view<640x32xf32, strides=[32, 1]>>
    for %o in (%v4 to %v6, step %v5) : tile<i32> {
      %v16 = constant <f32: 0.0> : tile<32x32xf32>
      %v19 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v17 = %v16) -> (tile<32x32xf32>) {
        %v20, %v21 = load_view_tko weak %v9[%o, %i] : partition_view<tile=(32x16), tensor_view<64x144xf32, strides=[144, 1]>>, tile<i32> -> tile<32x16xf32>, token
        %v22, %v23 = load_view_tko weak %v12[%i, %v4] : partition_view<tile=(16x32), tensor_view<144x32xf32, strides=[32, 1]>>, tile<i32> -> tile<16x32xf32>, token
        %v24 = mmaf %v20, %v22, %v17 : tile<32x16xf32>, tile<16x32xf32>, tile<32x32xf32>
        continue %v24 : tile<32x32xf32>
      }
      %v25 = constant <i32: 10> : tile<i32>
      %v26 = muli %o, %v25 : tile<i32>
      %v27 = addi %v26, %v1 : tile<i32>
      %v28 = store_view_tko weak %v19, %v15[%v27, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<640x32xf32, strides=[32, 1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
