// test: run
// grid: 2 1 1
// arg: f32[16384] small
// arg: i32[4] zeros
// The first of equals: the order of elements counts.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %tl = make_tensor_view %p0, shape = [4, 4096], strides = [4096, 1] : tensor_view<4x4096xf32, strides=[4096, 1]>
    %vl = make_partition_view %tl : partition_view<tile=(2x4096), tensor_view<4x4096xf32, strides=[4096, 1]>>
    %l, %kl = load_view_tko weak %vl[%x, %zero] : partition_view<tile=(2x4096), tensor_view<4x4096xf32, strides=[4096, 1]>>, tile<i32> -> tile<2x4096xf32>, token
    %io = iota : tile<4096xi32>
    %io1 = reshape %io : tile<4096xi32> -> tile<1x4096xi32>
    %idx = broadcast %io1 : tile<1x4096xi32> -> tile<2x4096xi32>
    %m, %at = reduce %l, %idx dim=1 identities=[0xff800000 : f32, 0 : i32] : tile<2x4096xf32>, tile<2x4096xi32> -> tile<2xf32>, tile<2xi32> (%e: tile<f32>, %a: tile<f32>, %ei: tile<i32>, %ai: tile<i32>) {
      %gt = cmpf greater_than ordered %e, %a : tile<f32> -> tile<i1>
      %v = select %gt, %e, %a : tile<i1>, tile<f32>
      %i = select %gt, %ei, %ai : tile<i1>, tile<i32>
      yield %v, %i : tile<f32>, tile<i32>
    }
    %ov = make_tensor_view %p1, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(2), tensor_view<4xi32, strides=[1]>>
    %ot = store_view_tko weak %at, %op[%x] : tile<2xi32>, partition_view<tile=(2), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
