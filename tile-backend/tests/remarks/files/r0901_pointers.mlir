// test: remarks
// kinds: R0901
// arch: cpu
// Pointers that lead anywhere, and to neighbours.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %c0: tile<ptr<i32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %c = assume div_by<16>, %c0 : tile<ptr<i32>>
    %zero = constant <i32: 0> : tile<i32>
    %vc_t = make_tensor_view %c, shape = [1024], strides = [1] : tensor_view<1024xi32, strides=[1]>
    %vc = make_partition_view %vc_t : partition_view<tile=(1024), tensor_view<1024xi32, strides=[1]>>
    %j, %t2 = load_view_tko weak %vc[%zero] : partition_view<tile=(1024), tensor_view<1024xi32, strides=[1]>>, tile<i32> -> tile<1024xi32>, token
    %i = iota : tile<1024xi32>
    %a1 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %a2 = broadcast %a1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %a3 = offset %a2, %j : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %t, %t0 = load_ptr_tko weak %a3 : tile<1024xptr<f32>> -> tile<1024xf32>, token // remark R0901: loaded one at a time
    %vb_t = make_tensor_view %b, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %t1 = store_view_tko weak %t, %vb[%zero] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %c0: tile<ptr<i32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %c = assume div_by<16>, %c0 : tile<ptr<i32>>
    %zero = constant <i32: 0> : tile<i32>
    %vc_t = make_tensor_view %c, shape = [1024], strides = [1] : tensor_view<1024xi32, strides=[1]>
    %vc = make_partition_view %vc_t : partition_view<tile=(1024), tensor_view<1024xi32, strides=[1]>>
    %j, %t2 = load_view_tko weak %vc[%zero] : partition_view<tile=(1024), tensor_view<1024xi32, strides=[1]>>, tile<i32> -> tile<1024xi32>, token
    %i = iota : tile<1024xi32>
    %a1 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %a2 = broadcast %a1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %a3 = offset %a2, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %t, %t0 = load_ptr_tko weak %a3 : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %vb_t = make_tensor_view %b, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %t1 = store_view_tko weak %t, %vb[%zero] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
