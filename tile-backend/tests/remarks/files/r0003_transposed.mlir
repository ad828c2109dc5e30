// test: remarks
// kinds: R0003
// arch: sm_90a
// host: cluster-split
// Numbers of rows that become those of columns, and that stay where they are.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %va_t = make_tensor_view %a, shape = [256, 128], strides = [128, 1] : tensor_view<256x128xf32, strides=[128,1]>
    %va = make_partition_view %va_t : partition_view<tile=(256x128), tensor_view<256x128xf32, strides=[128,1]>>
    %vb_t = make_tensor_view %b, shape = [128, 256], strides = [256, 1] : tensor_view<128x256xf32, strides=[256,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(128x256), tensor_view<128x256xf32, strides=[256,1]>>
    %t, %t0 = load_view_tko weak %va[%zero, %zero] : partition_view<tile=(256x128), tensor_view<256x128xf32, strides=[128,1]>>, tile<i32> -> tile<256x128xf32>, token
    %s = reduce %t dim=1 identities=[0xff800000 : f32] : tile<256x128xf32> -> tile<256xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %s1 = reshape %s : tile<256xf32> -> tile<1x256xf32> // remark R0003: 4 blocks of a cluster would split each work tile, but for this operation
    %sb = broadcast %s1 : tile<1x256xf32> -> tile<128x256xf32>
    %t1 = store_view_tko weak %sb, %vb[%zero, %zero] : tile<128x256xf32>, partition_view<tile=(128x256), tensor_view<128x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %va_t = make_tensor_view %a, shape = [256, 128], strides = [128, 1] : tensor_view<256x128xf32, strides=[128,1]>
    %va = make_partition_view %va_t : partition_view<tile=(256x128), tensor_view<256x128xf32, strides=[128,1]>>
    %vb_t = make_tensor_view %b, shape = [256, 128], strides = [128, 1] : tensor_view<256x128xf32, strides=[128,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(256x128), tensor_view<256x128xf32, strides=[128,1]>>
    %t, %t0 = load_view_tko weak %va[%zero, %zero] : partition_view<tile=(256x128), tensor_view<256x128xf32, strides=[128,1]>>, tile<i32> -> tile<256x128xf32>, token
    %s = reduce %t dim=1 identities=[0xff800000 : f32] : tile<256x128xf32> -> tile<256xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %s1 = reshape %s : tile<256xf32> -> tile<256x1xf32>
    %sb = broadcast %s1 : tile<256x1xf32> -> tile<256x128xf32>
    %t1 = store_view_tko weak %sb, %vb[%zero, %zero] : tile<256x128xf32>, partition_view<tile=(256x128), tensor_view<256x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
