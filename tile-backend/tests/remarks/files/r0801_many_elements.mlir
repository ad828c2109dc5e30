// test: remarks
// kinds: R0801
// slow: 0
// A thread holds 128 elements of each tile, and 8. The remark is one for a module, at the largest tile.
cuda_tile.module @m {
  entry @gives(%p: tile<ptr<f32>>) optimization_hints=<default = {num_worker_warps_per_cta = 4 : i64}> {
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %v_t = make_tensor_view %a, shape = [16384], strides = [1] : tensor_view<16384xf32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(16384), tensor_view<16384xf32, strides=[1]>>
    %x, %t = load_view_tko weak %v[%zero] : partition_view<tile=(16384), tensor_view<16384xf32, strides=[1]>>, tile<i32> -> tile<16384xf32>, token // remark R0801: of a processor
    %y = exp %x : tile<16384xf32>
    %z = mulf %y, %x rounding<nearest_even> : tile<16384xf32>
    %u = store_view_tko weak %z, %v[%zero] token = %t : tile<16384xf32>, partition_view<tile=(16384), tensor_view<16384xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%p: tile<ptr<f32>>) optimization_hints=<default = {num_worker_warps_per_cta = 4 : i64}> {
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %v_t = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %x, %t = load_view_tko weak %v[%zero] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %y = exp %x : tile<1024xf32>
    %z = mulf %y, %x rounding<nearest_even> : tile<1024xf32>
    %u = store_view_tko weak %z, %v[%zero] token = %t : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
