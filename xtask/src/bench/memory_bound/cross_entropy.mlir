cuda_tile.module @kernels {
  entry @stream(%a0: tile<ptr<bf16>>, %b0: tile<ptr<bf16>>, %m0: tile<i32>, %n0: tile<i32>, %trips: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<bf16>>
    %b = assume div_by<16>, %b0 : tile<ptr<bf16>>
    %m = assume bounded<0, ?>, %m0 : tile<i32>
    %n1 = assume bounded<0, ?>, %n0 : tile<i32>
    %n = assume div_by<16>, %n1 : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <f32: 0.0> : tile<1xCOLUMNSxf32>
    %va = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %pa = make_partition_view %va : partition_view<tile=(1xCOLUMNS), tensor_view<?x?xbf16, strides=[?,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(1xCOLUMNS), tensor_view<?x?xbf16, strides=[?,1]>>
    %lo = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %mx, %lx = for %i in (%lo to %trips, step %one) : tile<i32> iter_values(%mm = %zero, %ll = %zero) -> (tile<1xCOLUMNSxf32>, tile<1xCOLUMNSxf32>) {
    %t, %tt = load_view_tko weak %pa[%x, %i] : partition_view<tile=(1xCOLUMNS), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1xCOLUMNSxbf16>, token
    %tf = ftof %t : tile<1xCOLUMNSxbf16> -> tile<1xCOLUMNSxf32>
    %nm = maxf %tf, %mm : tile<1xCOLUMNSxf32>
    %d1 = subf %mm, %nm : tile<1xCOLUMNSxf32>
    %x1 = exp2 %d1 : tile<1xCOLUMNSxf32>
    %d2 = subf %tf, %nm : tile<1xCOLUMNSxf32>
    %x2 = exp2 %d2 : tile<1xCOLUMNSxf32>
    %nl = fma %ll, %x1, %x2 : tile<1xCOLUMNSxf32>
    continue %nm, %nl : tile<1xCOLUMNSxf32>, tile<1xCOLUMNSxf32>
    }
    %tmr = reduce %mx dim=1 identities=[0xFF800000 : f32] : tile<1xCOLUMNSxf32> -> tile<1xf32> (%etm: tile<f32>, %atm: tile<f32>) {
      %tmq = maxf %etm, %atm : tile<f32>
      yield %tmq : tile<f32>
    }
    %tms = reshape %tmr : tile<1xf32> -> tile<1x1xf32>
    %tm = broadcast %tms : tile<1x1xf32> -> tile<1xCOLUMNSxf32>
    %tlr = reduce %lx dim=1 identities=[0.0 : f32] : tile<1xCOLUMNSxf32> -> tile<1xf32> (%etl: tile<f32>, %atl: tile<f32>) {
      %tlq = addf %etl, %atl : tile<f32>
      yield %tlq : tile<f32>
    }
    %tls = reshape %tlr : tile<1xf32> -> tile<1x1xf32>
    %tl = broadcast %tls : tile<1x1xf32> -> tile<1xCOLUMNSxf32>
    %o = addf %tm, %tl : tile<1xCOLUMNSxf32>
    %oc = ftof %o : tile<1xCOLUMNSxf32> -> tile<1xCOLUMNSxbf16>
    %ot = store_view_tko weak %oc, %pb[%x, %lo] : tile<1xCOLUMNSxbf16>, partition_view<tile=(1xCOLUMNS), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
