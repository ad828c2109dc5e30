// test: verify
// A pointer to the elements; extents and strides of one type.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %i64_1 = constant <i64: 1> : tile<1xi64>
    %p_f32_1 = int_to_ptr %i64_1 : tile<1xi64> -> tile<1xptr<f32>>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i32_1 = constant <i32: 1> : tile<1xi32>
    %r0 = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %r1 = make_tensor_view %p, shape = [%n, %n], strides = [%n, %n] : tile<i32> -> tensor_view<?x?xf32, strides=[?,?]>
    %r2 = make_tensor_view %p, shape = [4, 64], strides = [%l, 1] : tile<i64> -> tensor_view<4x64xf32, strides=[?,1]>
    %r3 = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
    %r4 = make_tensor_view %p, shape = [%n, %l], strides = [64, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[64,1]> // error[T0301]: expected `tile<i32>`, found `tile<i64>`
    %r5 = make_tensor_view %p, shape = [%n, 4], strides = [%l, 1] : tile<i32> -> tensor_view<?x4xf32, strides=[?,1]> // error[T0301]: expected `tile<i32>`, found `tile<i64>`
    %r6 = make_tensor_view %p, shape = [4, 4], strides = [%l, %n] : tile<i64> -> tensor_view<4x4xf32, strides=[?,?]> // error[T0301]: expected `tile<i64>`, found `tile<i32>`
    %r7 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf64, strides=[1]> // error[T0301]: expected a pointer to `f64`, found `tile<ptr<f32>>`
    %r8 = make_tensor_view %p_f32_1, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]> // error[T0301]: expected `base` to be a rank-0 tile of pointers, found `tile<1xptr<f32>>`
    %r9 = make_tensor_view %f32_s, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]> // error[T0301]: expected `base` to be a rank-0 tile of pointers, found `tile<f32>`
    %r10 = make_tensor_view %p, shape = [%f32_s], strides = [1] : tile<f32> -> tensor_view<?xf32, strides=[1]> // error[T0301]: expected `dynamicShape` to be a rank-0 tile of integers, found `tile<f32>`
    %r11 = make_tensor_view %p, shape = [8], strides = [%i32_1] : tile<1xi32> -> tensor_view<8xf32, strides=[?]> // error[T0301]: expected `dynamicStrides` to be a rank-0 tile of integers, found `tile<1xi32>`
    return
  }
}
