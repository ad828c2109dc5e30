// test: run
// has: cp.async.wait_group
// conflicts: 0
// grid: 10 1 1
// arg: f16[9216] small
// arg: f16[9216] small
// arg: f32[10240] zeros
// arg: f32[10240] zeros
// Two products of one tile, which is copied once. Block number x takes x steps, none to nine.
cuda_tile.module @kernels {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %e0: tile<ptr<f32>>) {
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
    %v13 = constant <f32: 0.0> : tile<32x32xf32>
    %v18:2 = for %i in (%v4 to %v1, step %v5) : tile<i32> iter_values(%v14 = %v12, %v15 = %v13) -> (tile<32x32xf32>, tile<32x32xf32>) {
      %v19, %v20 = load_view_tko weak %v9[%v4, %i] : partition_view<tile=(32x32), tensor_view<32x288xf16, strides=[288, 1]>>, tile<i32> -> tile<32x32xf16>, token
      %v21, %v22 = load_view_tko weak %v11[%i, %v4] : partition_view<tile=(32x32), tensor_view<288x32xf16, strides=[32, 1]>>, tile<i32> -> tile<32x32xf16>, token
      %v23 = permute %v19 [1, 0] : tile<32x32xf16> -> tile<32x32xf16>
      %v24 = mmaf %v19, %v21, %v14 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      %v25 = mmaf %v19, %v23, %v15 : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %v24, %v25 : tile<32x32xf32>, tile<32x32xf32>
    }
    %v26 = assume div_by<16>, %c : tile<ptr<f32>>
    %v27 = make_tensor_view %v26, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xf32, strides=[32, 1]>
    %v28 = make_partition_view %v27 : partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>
    %v29 = store_view_tko weak %v18#0, %v28[%v1, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>, tile<i32> -> token
    %v30 = assume div_by<16>, %e0 : tile<ptr<f32>>
    %v31 = make_tensor_view %v30, shape = [320, 32], strides = [32, 1] : tensor_view<320x32xf32, strides=[32, 1]>
    %v32 = make_partition_view %v31 : partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>
    %v33 = store_view_tko weak %v18#1, %v32[%v1, %v4] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<320x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
