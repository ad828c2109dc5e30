// test: verify
// Element types; operands of one type, a result of i1 and their shape.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i16 = constant <i16: 1> : tile<4xi16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i32_s = constant <i32: 1> : tile<i32>
    %i32_8 = constant <i32: 1> : tile<8xi32>
    %r0 = cmpi equal %i1, %i1, signed : tile<4xi1> -> tile<4xi1>
    %r1 = cmpi equal %i8, %i8, signed : tile<4xi8> -> tile<4xi1>
    %r2 = cmpi equal %i16, %i16, signed : tile<4xi16> -> tile<4xi1>
    %r3 = cmpi equal %i32, %i32, signed : tile<4xi32> -> tile<4xi1>
    %r4 = cmpi equal %i64, %i64, signed : tile<4xi64> -> tile<4xi1>
    %r5 = cmpi equal %i4, %i4, signed : tile<4xi4> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r6 = cmpi equal %f32, %f32, signed : tile<4xf32> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r7 = cmpi equal %p_f32, %p_f32, signed : tile<4xptr<f32>> -> tile<4xi1> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
    %r8 = cmpi less_than %i32_s, %i32_s, unsigned : tile<i32> -> tile<i1>
    %r9 = cmpi equal %i32, %i64, signed : tile<4xi32> -> tile<4xi1> // error[T0301]: expected `rhs` of type `tile<4xi32>`, found `tile<4xi64>`
    %r10 = cmpi equal %i32, %i32_8, signed : tile<4xi32> -> tile<4xi1> // error[T0301]: expected `rhs` of type `tile<4xi32>`, found `tile<8xi32>`
    %r11 = cmpi equal %i32, %i32, signed : tile<4xi32> -> tile<8xi1> // error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r12 = cmpi equal %i32, %i32, signed : tile<4xi32> -> tile<i1> // error[T0303]: expected `result` of shape `(4)`, found `()`
    %r13 = cmpi equal %i32, %i32, signed : tile<4xi32> -> tile<4xi8> // error[T0303]: expected `result` to be a tile of i1, found `tile<4xi8>`
    return
  }
}
