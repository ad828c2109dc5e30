// test: parse
// A written type must be the type of the value.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<f32>>) {
    %r = reshape %n : tile<i64> -> tile<1xi64> // error[T0202]: expected `tile<i32>`, found `tile<i64>`
    %s = cmpi equal %n, %n, signed : tile<1xi32> -> tile<i1> // error[T0202]: expected `tile<i32>`, found `tile<1xi32>`
    %t = make_tensor_view %p, shape = [%n, 8], strides = [8, 1] : tile<i64> -> tensor_view<?x8xf32, strides=[8,1]> // error[T0202]: expected `tile<i32>`, found `tile<i64>`
    %e = exti %late signed : tile<i64> -> tile<i64> // error[T0202]: expected `tile<i32>`, found `tile<i64>`
    %late = addi %n, %n : tile<i32>
    continue %n, %n : tile<i32> // error[T0103]: expected 2 types, found 1
  }
}
