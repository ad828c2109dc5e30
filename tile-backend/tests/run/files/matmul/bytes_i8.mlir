// test: run
// has: ldmatrix.sync.aligned.m8n8.x4.trans
// conflicts: 0
// grid: 5 1 1
// arg: i8[16384] small
// arg: i8[16384] small
// arg: i32[20480] zeros
// Bytes that are neighbours along the columns of the right factor: `ldmatrix` transposes pairs.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<i8>>
    %v7 = assume div_by<16>, %b : tile<ptr<i8>>
    %v8 = make_tensor_view %v6, shape = [64, 256], strides = [256, 1] : tensor_view<64x256xi8, strides=[256, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(64x64), tensor_view<64x256xi8, strides=[256, 1]>>
    %v10 = make_tensor_view %v7, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xi8, strides=[64, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(64x64), tensor_view<256x64xi8, strides=[64, 1]>>
    %v12 = constant <i32: 0> : tile<64x64xi32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<64x64xi32>) {
      %v16, %v17 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(64x64), tensor_view<64x256xi8, strides=[256, 1]>>, tile<i32> -> tile<64x64xi8>, token
      %v18, %v19 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(64x64), tensor_view<256x64xi8, strides=[64, 1]>>, tile<i32> -> tile<64x64xi8>, token
      %v20 = mmai %v16, %v18, %v13 signed signed : tile<64x64xi8>, tile<64x64xi8>, tile<64x64xi32>
      continue %v20 : tile<64x64xi32>
    }
    %v21 = assume div_by<16>, %c : tile<ptr<i32>>
    %v22 = make_tensor_view %v21, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xi32, strides=[64, 1]>
    %v23 = make_partition_view %v22 : partition_view<tile=(64x64), tensor_view<320x64xi32, strides=[64, 1]>>
    %v24 = store_view_tko weak %v15, %v23[%v1, %v4] : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<320x64xi32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
