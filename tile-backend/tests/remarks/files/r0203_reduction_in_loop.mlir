// test: remarks
// kinds: R0203
// A loop that reduces over all warps, and one in which each thread works for itself.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
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
    %sum = for %i in (%zero to %many, step %one) : tile<i32> iter_values(%acc = %nothing) -> (tile<1024xf32>) { // remark R0203: all 4 warps wait for each other
      %t, %t0 = load_view_tko weak %va[%i] : partition_view<tile=(1024), tensor_view<16384xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
      %m = reduce %t dim=0 identities=[0xFF800000 : f32] : tile<1024xf32> -> tile<f32> (%e: tile<f32>, %f: tile<f32>) {
        %g = maxf %e, %f : tile<f32>
        yield %g : tile<f32>
      }
      %m1 = reshape %m : tile<f32> -> tile<1xf32>
      %m2 = broadcast %m1 : tile<1xf32> -> tile<1024xf32>
      %u = mulf %t, %m2 rounding<nearest_even> : tile<1024xf32>
      %next = addf %acc, %u rounding<nearest_even> : tile<1024xf32>
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
