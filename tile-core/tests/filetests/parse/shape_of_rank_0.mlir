// test: parse
// The query of a tensor of rank 0 has no result whose type could be written; it is printed in generic form.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
    get_tensor_shape %v : tensor_view<f32> -> tile<i32>
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
    "cuda_tile.get_tensor_shape"(%v) : (!cuda_tile.tensor_view<f32>) -> ()
    return
  }
}
