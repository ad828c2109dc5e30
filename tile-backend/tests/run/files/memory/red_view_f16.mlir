// test: run
// grid: 2 2 1
// arg: f16[1920] small
// arg: f16[1920] small
// Tiles of `f16` combined into a view.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>) {
    %v1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = make_tensor_view %v1, shape = [30, 64], strides = [64, 1] : tensor_view<30x64xf16, strides=[64,1]>
    %v3 = make_tensor_view %b, shape = [30, 64], strides = [64, 1] : tensor_view<30x64xf16, strides=[64,1]>
    %v4 = make_partition_view %v2 : partition_view<tile=(16x32), tensor_view<30x64xf16, strides=[64,1]>>
    %v5 = make_partition_view %v3 : partition_view<tile=(16x32), tensor_view<30x64xf16, strides=[64,1]>>
    %v6, %v7, %v8 = get_tile_block_id : tile<i32>
    %v9, %v10 = load_view_tko weak %v5[%v6, %v7] : partition_view<tile=(16x32), tensor_view<30x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x32xf16>, token
    %v11 = atomic_red_view_tko relaxed device %v4[%v6, %v7], addf, %v9 : tile<16x32xf16>, partition_view<tile=(16x32), tensor_view<30x64xf16, strides=[64,1]>>, tile<i32> -> token
    %v12 = atomic_red_view_tko relaxed tl_blk %v4[%v6, %v7], addf, %v9 : tile<16x32xf16>, partition_view<tile=(16x32), tensor_view<30x64xf16, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
