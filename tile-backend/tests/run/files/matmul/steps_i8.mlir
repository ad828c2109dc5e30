// test: run
// has: cp.async.wait_group
// grid: 10 1 1
// arg: i8[18432] small
// arg: i8[18432] small
// arg: i32[10240] zeros
// Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<i8>>
    %v7 = assume div_by<16>, %b : tile<ptr<i8>>
    %v8 = make_tensor_view %v6, shape = [32, 576], strides = [576, 1] : tensor_view<32x576xi8, strides=[576, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(32x64), tensor_view<32x576xi8, strides=[576, 1]>>
    %v10 = make_tensor_view %v7, shape = [576, 32], strides = [32, 1] : tensor_view<576x32xi8, strides=[32, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(64x32), tensor_view<576x32xi8, strides=[32, 1]>>
    %v12 = constant <i32: 0> : tile<32x32xi32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<32x32xi32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(32x64), tensor_view<32x576xi8, strides=[576, 1]>>, tile<i32> -> tile<32x64xi8>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(64x32), tensor_view<576x32xi8, strides=[32, 1]>>, tile<i32> -> tile<64x32xi8>, token
      %v20 = mmai %v16, %v18, %v13 signed signed : tile<32x64xi8>, tile<64x32xi8>, tile<32x32xi32>
      continue %v20 : tile<32x32xi32>
    }
    %v21 = assume div_by<16>, %c : tile<ptr<i32>>
    %v22 = make_tensor_view %v21, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xi32, strides=[32, 1]>
    %v23 = make_partition_view %v22 : partition_view<tile=(32x32), tensor_view<320x32xi32, strides=[32, 1]>>
    %v24 = store_view_tko weak %v15, %v23[%v1, %v4] : tile<32x32xi32>, partition_view<tile=(32x32), tensor_view<320x32xi32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
