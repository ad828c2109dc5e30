// test: run
// has: cp.async.wait_group
// conflicts: 0
// grid: 10 1 1
// arg: bf16[9216] small
// arg: bf16[9216] small
// arg: f32[10240] zeros
// Both factors are columns in memory. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<bf16>>, %b: tile<ptr<bf16>>, %c: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v7 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v8 = make_tensor_view %v6, shape = [288, 32], strides = [32, 1] : tensor_view<288x32xbf16, strides=[32, 1]>
    %v9 = make_partition_view %v8 : partition_view<tile=(32x32), tensor_view<288x32xbf16, strides=[32, 1]>>
    %v10 = make_tensor_view %v7, shape = [32, 288], strides = [288, 1] : tensor_view<32x288xbf16, strides=[288, 1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(32x32), tensor_view<32x288xbf16, strides=[288, 1]>>
    %v12 = constant <f32: 0.0> : tile<32x32xf32>
    %v15 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v13 = %v12) -> (tile<32x32xf32>) {
      %v16, %v17 = load_view_tko weak %v9[%i, %v4] : partition_view<tile=(32x32), tensor_view<288x32xbf16, strides=[32, 1]>>, tile<i32> -> tile<32x32xbf16>, token
      %v18, %v19 = load_view_tko weak %v11[%v4, %i] : partition_view<tile=(32x32), tensor_view<32x288xbf16, strides=[288, 1]>>, tile<i32> -> tile<32x32xbf16>, token
      %v20 = permute %v16 [1, 0] : tile<32x32xbf16> -> tile<32x32xbf16>
      %v21 = permute %v18 [1, 0] : tile<32x32xbf16> -> tile<32x32xbf16>
      %v22 = mmaf %v20, %v21, %v13 : tile<32x32xbf16>, tile<32x32xbf16>, tile<32x32xf32>
      continue %v22 : tile<32x32xf32>
    }
    %v23 = assume div_by<16>, %c : tile<ptr<f32>>
    %v24 = make_tensor_view %v23, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xf32, strides=[32, 1]>
    %v25 = make_partition_view %v24 : partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>
    %v26 = store_view_tko weak %v15, %v25[%v1, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
