// test: parse
// `make_tensor_view`: numbers equal the entries of the type, values replace `?`; every
// element type.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %t0 = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %t1 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %t2 = make_tensor_view %p, shape = [%l, %l], strides = [%l, 1] : tile<i64> -> tensor_view<?x?xf32, strides=[?,1]>
    %t3 = make_tensor_view %p, shape = [8], strides = [%n] : tile<i32> -> tensor_view<8xf32, strides=[?]>
    %t4 = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
    %q0 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i1>>
    %v0 = make_tensor_view %q0, shape = [8], strides = [1] : tensor_view<8xi1, strides=[1]>
    %q1 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i8>>
    %v1 = make_tensor_view %q1, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %q2 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i16>>
    %v2 = make_tensor_view %q2, shape = [8], strides = [1] : tensor_view<8xi16, strides=[1]>
    %q3 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i32>>
    %v3 = make_tensor_view %q3, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %q4 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i64>>
    %v4 = make_tensor_view %q4, shape = [8], strides = [1] : tensor_view<8xi64, strides=[1]>
    %q5 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f16>>
    %v5 = make_tensor_view %q5, shape = [8], strides = [1] : tensor_view<8xf16, strides=[1]>
    %q6 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<bf16>>
    %v6 = make_tensor_view %q6, shape = [8], strides = [1] : tensor_view<8xbf16, strides=[1]>
    %q7 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f32>>
    %v7 = make_tensor_view %q7, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %q8 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<tf32>>
    %v8 = make_tensor_view %q8, shape = [8], strides = [1] : tensor_view<8xtf32, strides=[1]>
    %q9 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f64>>
    %v9 = make_tensor_view %q9, shape = [8], strides = [1] : tensor_view<8xf64, strides=[1]>
    %q10 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f8E4M3FN>>
    %v10 = make_tensor_view %q10, shape = [8], strides = [1] : tensor_view<8xf8E4M3FN, strides=[1]>
    %q11 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f8E5M2>>
    %v11 = make_tensor_view %q11, shape = [8], strides = [1] : tensor_view<8xf8E5M2, strides=[1]>
    %q12 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f8E8M0FNU>>
    %v12 = make_tensor_view %q12, shape = [8], strides = [1] : tensor_view<8xf8E8M0FNU, strides=[1]>
    %q13 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f4E2M1FN>>
    %v13 = make_tensor_view %q13, shape = [8], strides = [1] : tensor_view<8xf4E2M1FN, strides=[1]>
    return
  }
}
