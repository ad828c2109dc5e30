// test: remarks
// kinds: R0003
// arch: sm_90a
// host: cluster-split
// An assertion that one block has to make for all, and none.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %va_t = make_tensor_view %a, shape = [64, 32768], strides = [32768, 1] : tensor_view<64x32768xf32, strides=[32768,1]>
    %va = make_partition_view %va_t : partition_view<tile=(1x32768), tensor_view<64x32768xf32, strides=[32768,1]>>
    %vb_t = make_tensor_view %b, shape = [64, 32768], strides = [32768, 1] : tensor_view<64x32768xf32, strides=[32768,1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(1x32768), tensor_view<64x32768xf32, strides=[32768,1]>>
    %t, %t0 = load_view_tko weak %va[%x, %zero] : partition_view<tile=(1x32768), tensor_view<64x32768xf32, strides=[32768,1]>>, tile<i32> -> tile<1x32768xf32>, token
    %ok = cmpi less_than %x, %n, signed : tile<i32> -> tile<i1>
    assert %ok, "a row" : tile<i1> // remark R0003: 8 blocks of a cluster would split each work tile, but for this operation
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
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n: tile<i32>) {
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
}
