// test: run
// grid: 5 1 1
// arg: i8[2048] small
// arg: i8[2048] small
// arg: i32[1280] zeros
// No more than one instruction.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<i8>>
    %v7 = assume div_by<16>, %b : tile<ptr<i8>>
    %v8 = make_tensor_view %v6, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xi8, strides=[128, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(16x32), tensor_view<16x128xi8, strides=[128, 1]>>
    %v10 = make_tensor_view %v7, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xi8, strides=[16, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(32x16), tensor_view<128x16xi8, strides=[16, 1]>>
    %v12 = constant <i32: 0> : tile<16x16xi32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<16x16xi32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(16x32), tensor_view<16x128xi8, strides=[128, 1]>>, tile<i32> -> tile<16x32xi8>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(32x16), tensor_view<128x16xi8, strides=[16, 1]>>, tile<i32> -> tile<32x16xi8>, token
      %v20 = mmai %v16, %v18, %v13 signed signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
      continue %v20 : tile<16x16xi32>
    }
    %v21 = assume div_by<16>, %c : tile<ptr<i32>>
    %v22 = make_tensor_view %v21, shape = [80, 16], strides = [16, 1] : tensor_view<80x16xi32, strides=[16, 1]>
    %v23 = make_partition_view %v22 : partition_view<tile=(16x16), tensor_view<80x16xi32, strides=[16, 1]>>
    %v24 = store_view_tko weak %v15, %v23[%v1, %v4] : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<80x16xi32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
