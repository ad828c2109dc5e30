// test: parse
// Types with the prefix of the dialect, wherever one may stand, and without.

cuda_tile.module @m {
  entry @k(%a: !cuda_tile.tile<ptr<f32>>, %b: !cuda_tile.tile<!cuda_tile.ptr<f8E5M2>>, %c: tile<!cuda_tile.ptr<i1>>, %d: !cuda_tile.token, %n: !cuda_tile.tile<i32>) {
    %e = make_tensor_view %a, shape = [8, %n], strides = [%n, 1] : !cuda_tile.tile<i32> -> !cuda_tile.tensor_view<8x?xf32, strides=[?, 1]>
    %f = make_partition_view %e : !cuda_tile.partition_view<tile=(2x4), !cuda_tile.tensor_view<8x?xf32, strides=[?,1]>, dim_map=[0,1]>
    %g = make_strided_view %e : !cuda_tile.strided_view<tile=(2x4), traversal_strides=[ 1 , 2 ], padding_value = zero, !cuda_tile.tensor_view<8x?xf32, strides=[?,1]>>
    %h = make_gather_scatter_view %e : !cuda_tile.gather_scatter_view<tile=(2x4), !cuda_tile.tensor_view<8x?xf32, strides=[?,1]>, sparse_dim=1>
  }
}
// output:
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f32>>, %b: tile<ptr<f8E5M2>>, %c: tile<ptr<i1>>, %d: token, %n: tile<i32>) {
    %e = make_tensor_view %a, shape = [8, %n], strides = [%n, 1] : tile<i32> -> tensor_view<8x?xf32, strides=[?,1]>
    %f = make_partition_view %e : partition_view<tile=(2x4), tensor_view<8x?xf32, strides=[?,1]>>
    %g = make_strided_view %e : strided_view<tile=(2x4), traversal_strides=[1,2], padding_value = zero, tensor_view<8x?xf32, strides=[?,1]>>
    %h = make_gather_scatter_view %e : gather_scatter_view<tile=(2x4), tensor_view<8x?xf32, strides=[?,1]>, sparse_dim=1>
    return
  }
}
