// test: parse
// The lists must say what the type says.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<f32>>) {
    %a = make_tensor_view %p, shape = [8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]> // error[T0204]: expected 2 entries in `shape`, found 1
    %b = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<8xf32, strides=[1]> // error[T0203]: expected `8`, found `4`
    %c = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<?xf32, strides=[1]> // error[T0203]: expected a value, found `4`
    %d = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<8xf32, strides=[1]> // error[T0203]: expected `8`, found a value
    %e = make_tensor_view %p, shape = [], strides = [] : tile<f32> // error[T0202]: expected a `tensor_view`, found `tile<f32>`
    %f = get_tensor_shape %p : tile<ptr<f32>> -> tile<i32> // error[T0202]: expected a view, found `tile<ptr<f32>>`
  }
}
