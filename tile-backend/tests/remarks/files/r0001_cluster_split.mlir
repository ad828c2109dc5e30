// test: remarks
// kinds: R0001
// arch: sm_90a
// host: cluster-split
// A row that is too long for the registers of one block, and one that is not.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) { // remark R0001: 8 blocks of a cluster split each work tile // remark R0001: warps:
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %va_t = make_tensor_view %a, shape = [64, 32768], strides = [32768, 1] : tensor_view<64x32768xf32, strides=[32768,1]>
    %va = make_partition_view %va_t : partition_view<tile=(1x32768), tensor_view<64x32768xf32, strides=[32768,1]>>
    %vb_t = make_tensor_view %b, shape = [64, 32768], strides = [32768, 1] : tensor_view<64x32768xf32, strides=[32768,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1x32768), tensor_view<64x32768xf32, strides=[32768,1]>>
    %t, %t0 = load_view_tko weak %va[%x, %zero] : partition_view<tile=(1x32768), tensor_view<64x32768xf32, strides=[32768,1]>>, tile<i32> -> tile<1x32768xf32>, token
    %s = reduce %t dim=1 identities=[0xff800000 : f32] : tile<1x32768xf32> -> tile<1xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %s1 = reshape %s : tile<1xf32> -> tile<1x1xf32>
    %sb = broadcast %s1 : tile<1x1xf32> -> tile<1x32768xf32>
    %d = subf %t, %sb : tile<1x32768xf32>
    %t1 = store_view_tko weak %d, %vb[%x, %zero] : tile<1x32768xf32>, partition_view<tile=(1x32768), tensor_view<64x32768xf32, strides=[32768,1]>>, tile<i32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>) { // remark R0001: warps:
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %va_t = make_tensor_view %a, shape = [64, 8192], strides = [8192, 1] : tensor_view<64x8192xf32, strides=[8192,1]>
    %va = make_partition_view %va_t : partition_view<tile=(1x8192), tensor_view<64x8192xf32, strides=[8192,1]>>
    %vb_t = make_tensor_view %b, shape = [64, 8192], strides = [8192, 1] : tensor_view<64x8192xf32, strides=[8192,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1x8192), tensor_view<64x8192xf32, strides=[8192,1]>>
    %t, %t0 = load_view_tko weak %va[%x, %zero] : partition_view<tile=(1x8192), tensor_view<64x8192xf32, strides=[8192,1]>>, tile<i32> -> tile<1x8192xf32>, token
    %s = reduce %t dim=1 identities=[0xff800000 : f32] : tile<1x8192xf32> -> tile<1xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %s1 = reshape %s : tile<1xf32> -> tile<1x1xf32>
    %sb = broadcast %s1 : tile<1x1xf32> -> tile<1x8192xf32>
    %d = subf %t, %sb : tile<1x8192xf32>
    %t1 = store_view_tko weak %d, %vb[%x, %zero] : tile<1x8192xf32>, partition_view<tile=(1x8192), tensor_view<64x8192xf32, strides=[8192,1]>>, tile<i32> -> token
    return
  }
}
