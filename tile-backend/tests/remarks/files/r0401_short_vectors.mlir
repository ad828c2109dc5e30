// test: remarks
// kinds: R0401
// A tile that is loaded element by element, since it may start anywhere, and the same on a boundary of vectors.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<4>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %many = constant <i32: 16> : tile<i32>
    %nothing = constant <f32: 0.0> : tile<1024xf32>
    %va_t = make_tensor_view %a, shape = [16384], strides = [1] : tensor_view<16384xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(1024), tensor_view<16384xf32, strides=[1]>>
    %vb_t = make_tensor_view %b, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %sum = for %i in (%zero to %many, step %one) : tile<i32> iter_values(%acc = %nothing) -> (tile<1024xf32>) {
      %t, %t0 = load_view_tko weak %va[%i] : partition_view<tile=(1024), tensor_view<16384xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token // remark R0401: every iteration waits for this load
      %next = addf %acc, %t rounding<nearest_even> : tile<1024xf32>
      continue %next : tile<1024xf32>
    }
    %t1 = store_view_tko weak %sum, %vb[%zero] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %many = constant <i32: 16> : tile<i32>
    %nothing = constant <f32: 0.0> : tile<1024xf32>
    %va_t = make_tensor_view %a, shape = [16384], strides = [1] : tensor_view<16384xf32, strides=[1]>
    %va = make_partition_view %va_t : partition_view<tile=(1024), tensor_view<16384xf32, strides=[1]>>
    %vb_t = make_tensor_view %b, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %sum = for %i in (%zero to %many, step %one) : tile<i32> iter_values(%acc = %nothing) -> (tile<1024xf32>) {
      %t, %t0 = load_view_tko weak %va[%i] : partition_view<tile=(1024), tensor_view<16384xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
      %next = addf %acc, %t rounding<nearest_even> : tile<1024xf32>
      continue %next : tile<1024xf32>
    }
    %t1 = store_view_tko weak %sum, %vb[%zero] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
