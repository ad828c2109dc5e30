// test: run
// arg: i32[200] random
// Tiles that overlap with those of the next iteration, in place.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>) {
    %v1 = make_tensor_view %a, shape = [200], strides = [1] : tensor_view<200xi32, strides=[1]>
    %v2 = make_strided_view %v1 : strided_view<tile=(128), traversal_strides=[8], tensor_view<200xi32, strides=[1]>>
    %v3 = constant <i32: 0> : tile<i32>
    %v4 = constant <i32: 8> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = make_token : token
    %v8 = constant <i32: 1> : tile<128xi32>
    %v7 = for %it in (%v3 to %v4, step %v5) : tile<i32> iter_values(%tk = %v6) -> (token) {
      %v9, %v10 = load_view_tko weak %v2[%it] token = %tk : strided_view<tile=(128), traversal_strides=[8], tensor_view<200xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
      %v11 = addi %v9, %v8 : tile<128xi32>
      %v12 = store_view_tko weak %v11, %v2[%it] token = %v10 : tile<128xi32>, strided_view<tile=(128), traversal_strides=[8], tensor_view<200xi32, strides=[1]>>, tile<i32> -> token
      continue %v12 : token
    }
    return
  }
}
