// test: run
// grid: 2 2 1
// arg: i64[1920] small
// arg: i64[1920] small
// Tiles of `i64` combined into a view.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i64>>, %b: tile<ptr<i64>>) {
    %v1 = assume div_by<16>, %a : tile<ptr<i64>>
    %v2 = make_tensor_view %v1, shape = [30, 64], strides = [64, 1] : tensor_view<30x64xi64, strides=[64,1]>
    %v3 = make_tensor_view %b, shape = [30, 64], strides = [64, 1] : tensor_view<30x64xi64, strides=[64,1]>
    %v4 = make_partition_view %v2 : partition_view<tile=(16x32), tensor_view<30x64xi64, strides=[64,1]>>
    %v5 = make_partition_view %v3 : partition_view<tile=(16x32), tensor_view<30x64xi64, strides=[64,1]>>
    %v6, %v7, %v8 = get_tile_block_id : tile<i32>
    %v9, %v10 = load_view_tko weak %v5[%v6, %v7] : partition_view<tile=(16x32), tensor_view<30x64xi64, strides=[64,1]>>, tile<i32> -> tile<16x32xi64>, token
    %v11 = atomic_red_view_tko relaxed device %v4[%v6, %v7], xor, %v9 : tile<16x32xi64>, partition_view<tile=(16x32), tensor_view<30x64xi64, strides=[64,1]>>, tile<i32> -> token
    %v12 = atomic_red_view_tko relaxed tl_blk %v4[%v6, %v7], xor, %v9 : tile<16x32xi64>, partition_view<tile=(16x32), tensor_view<30x64xi64, strides=[64,1]>>, tile<i32> -> token
    %v13 = atomic_red_view_tko relaxed device %v4[%v6, %v7], min, %v9 : tile<16x32xi64>, partition_view<tile=(16x32), tensor_view<30x64xi64, strides=[64,1]>>, tile<i32> -> token
    %v14 = atomic_red_view_tko relaxed tl_blk %v4[%v6, %v7], min, %v9 : tile<16x32xi64>, partition_view<tile=(16x32), tensor_view<30x64xi64, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
