// test: verify
// Operands and result of one type; each difference is reported once.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %j = constant <i32: 7> : tile<8xi32>
    %l = constant <i64: 7> : tile<4xi64>
    %f = constant <f32: 1.5> : tile<4xf32>
    %g = constant <f64: 1.5> : tile<4xf64>
    %h = constant <f16: 1.5> : tile<4xf16>
    %s = constant <i32: 7> : tile<i32>
    %c = constant <i1: true> : tile<i1>
    %r0 = addi %i, %j : tile<4xi32> // error[T0301]: expected `rhs` of type `tile<4xi32>`, found `tile<8xi32>`
    %r1 = addi %i, %i : tile<8xi32> // error[T0303]: expected `result` of type `tile<4xi32>`, found `tile<8xi32>`
    %r2 = addf %f, %g : tile<4xf32> // error[T0301]: expected `rhs` of type `tile<4xf32>`, found `tile<4xf64>`
    %r3 = fma %f, %g, %h : tile<4xf32> // error[T0301]: expected `rhs` of type `tile<4xf32>`, found `tile<4xf64>`
// error[T0301]: expected `acc` of type `tile<4xf32>`, found `tile<4xf16>`
    %r4 = absi %i : tile<4xi64> // error[T0303]: expected `result` of type `tile<4xi32>`, found `tile<4xi64>`
    %r5 = cmpi equal %i, %l, signed : tile<4xi32> -> tile<4xi1> // error[T0301]: expected `rhs` of type `tile<4xi32>`, found `tile<4xi64>`
    return
  }
}
