// test: opt --passes=canonicalize-full
// The body of a reduction that is used stays; unused operations in it go.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %x = constant <f32: 1.0> : tile<16x32xf32>
    %r = reduce %x dim=0 identities=[0.0 : f32] : tile<16x32xf32> -> tile<32xf32> (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      %t = mulf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %q = reduce %x dim=0 identities=[0.0 : f32] : tile<16x32xf32> -> tile<32xf32> (%a: tile<f32>, %b: tile<f32>) {
      yield %b : tile<f32>
    }
    %m = reshape %r : tile<32xf32> -> tile<1x32xf32>
    %y = broadcast %m : tile<1x32xf32> -> tile<16x32xf32>
    %st = store_view_tko weak %y, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %x = constant <f32: 1.000000e+00> : tile<16x32xf32>
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %r = reduce %x dim=0 identities=[0.000000e+00 : f32] : tile<16x32xf32> -> tile<32xf32> (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %m = reshape %r : tile<32xf32> -> tile<1x32xf32>
    %y = broadcast %m : tile<1x32xf32> -> tile<16x32xf32>
    %st = store_view_tko weak %y, %pv[%n, %n] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
// rewrites:
//   11 dead_code
//   14 dead_code
