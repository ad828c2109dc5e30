// test: parse
// Prefixes, packed results, `return` and the module left out, attributes in
// another order, hexadecimal integers, quoted keys, comments.
cuda_tile.entry @k(%arg0: !cuda_tile.tile<!cuda_tile.ptr<f32>>, %n: !cuda_tile.tile<i32>) optimization_hints=<"sm_90" = {occupancy = 1 : i64}, default = {}> {
  %0 = constant <i32: 0x10> : tile<4xi32> // a comment
  %c = cuda_tile.constant <f32: [1.0, 1.0]> : !cuda_tile.tile<2xf32>
  %m = maxf %c, %c propagate_nan flush_to_zero : tile<2xf32>
  %a = assume #cuda_tile.bounded<0, ?>, %n : tile<i32>
  %tv = make_tensor_view %arg0, shape = [%a, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4xf32, strides=[4, 1]>
  %d:2 = get_tensor_shape %tv : tensor_view<?x4xf32, strides=[4,1]> -> tile<i32>
  %for:2 = for %i in (%d#0 to %d#1, step %n) : tile<i32> iter_values(%x = %d#0, %y = %d#1)
      -> (tile<i32>, tile<i32>) {
    continue %y, %x : tile<i32>, tile<i32>
  }
  %z = addi %for#1, %for#0 overflow<none> : tile<i32>
}
// output:
cuda_tile.module @kernels {
  entry @k(%arg0: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {}, sm_90 = {occupancy = 1}> {
    %0 = constant <i32: 16> : tile<4xi32>
    %c = constant <f32: 1.000000e+00> : tile<2xf32>
    %m = maxf %c, %c flush_to_zero propagate_nan : tile<2xf32>
    %a = assume bounded<0, ?>, %n : tile<i32>
    %tv = make_tensor_view %arg0, shape = [%a, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4xf32, strides=[4,1]>
    %d_0, %d_1 = get_tensor_shape %tv : tensor_view<?x4xf32, strides=[4,1]> -> tile<i32>
    %for_0, %for_1 = for %i in (%d_0 to %d_1, step %n) : tile<i32> iter_values(%x = %d_0, %y = %d_1) -> (tile<i32>, tile<i32>) {
      continue %y, %x : tile<i32>, tile<i32>
    }
    %z = addi %for_1, %for_0 : tile<i32>
    return
  }
}
