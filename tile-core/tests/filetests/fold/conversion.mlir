// test: opt --passes=canonicalize-full
// Conversions fold where the value is in the range of the type.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires at rank 0.
    %a = constant <f32: -1.75> : tile<f32>
    %trunc = ftoi %a signed : tile<f32> -> tile<i32>
    %t0 = print_tko "trunc %i", %trunc : tile<i32> -> token
    // Fires at rank 2, rounding.
    %m = constant <i32: [[16777217, 2], [3, -4]]> : tile<2x2xi32>
    %floats = itof %m signed : tile<2x2xi32> -> tile<2x2xf32>
    %t1 = print_tko "floats %f", %floats : tile<2x2xf32> -> token
    // Fires: the bits of a NaN are kept.
    %nan = constant <f32: 0x7F800001> : tile<f32>
    %bits = bitcast %nan : tile<f32> -> tile<i32>
    %t2 = print_tko "bits %i", %bits : tile<i32> -> token
    // Does not fire: which NaN comes out is not specified.
    %half = ftof %nan : tile<f32> -> tile<f16>
    %t3 = print_tko "half %f", %half : tile<f16> -> token
    // Fires: the greatest f16.
    %most = constant <f32: 65504.0> : tile<f32>
    %fits = ftof %most : tile<f32> -> tile<f16>
    %t4 = print_tko "fits %f", %fits : tile<f16> -> token
    // Does not fire: out of the range of f16.
    %more = constant <f32: 65536.0> : tile<f32>
    %over = ftof %more : tile<f32> -> tile<f16>
    %t5 = print_tko "over %f", %over : tile<f16> -> token
    // Does not fire: out of the range of i8.
    %x = constant <f32: 128.0> : tile<f32>
    %byte = ftoi %x signed : tile<f32> -> tile<i8>
    %t6 = print_tko "byte %i", %byte : tile<i8> -> token
    // Fires: the promise holds.
    %w = constant <i32: [[1, 2], [3, 127]]> : tile<2x2xi32>
    %narrow = trunci %w overflow<no_signed_wrap> : tile<2x2xi32> -> tile<2x2xi8>
    %t7 = print_tko "narrow %i", %narrow : tile<2x2xi8> -> token
    // Does not fire: the promise is broken.
    %w1 = constant <i32: [[1, 2], [3, 128]]> : tile<2x2xi32>
    %broken = trunci %w1 overflow<no_signed_wrap> : tile<2x2xi32> -> tile<2x2xi8>
    %t8 = print_tko "broken %i", %broken : tile<2x2xi8> -> token
    // Does not fire: the operand is no constant.
    %free = exti %p signed : tile<i32> -> tile<i64>
    %t9 = print_tko "free %i", %free : tile<i64> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %narrow = constant <i8: [[1, 2], [3, 127]]> : tile<2x2xi8>
    %fits = constant <f16: 6.550400e+04> : tile<f16>
    %bits = constant <i32: 2139095041> : tile<i32>
    %floats = constant <f32: [[0x4B800000, 2.000000e+00], [3.000000e+00, -4.000000e+00]]> : tile<2x2xf32>
    %trunc = constant <i32: -1> : tile<i32>
    %w1 = constant <i32: [[1, 2], [3, 128]]> : tile<2x2xi32>
    %x = constant <f32: 1.280000e+02> : tile<f32>
    %more = constant <f32: 6.553600e+04> : tile<f32>
    %nan = constant <f32: 0x7F800001> : tile<f32>
    %t0 = print_tko "trunc %i", %trunc : tile<i32> -> token
    %t1 = print_tko "floats %f", %floats : tile<2x2xf32> -> token
    %t2 = print_tko "bits %i", %bits : tile<i32> -> token
    %half = ftof %nan : tile<f32> -> tile<f16>
    %t3 = print_tko "half %f", %half : tile<f16> -> token
    %t4 = print_tko "fits %f", %fits : tile<f16> -> token
    %over = ftof %more : tile<f32> -> tile<f16>
    %t5 = print_tko "over %f", %over : tile<f16> -> token
    %byte = ftoi %x signed : tile<f32> -> tile<i8>
    %t6 = print_tko "byte %i", %byte : tile<i8> -> token
    %t7 = print_tko "narrow %i", %narrow : tile<2x2xi8> -> token
    %broken = trunci %w1 overflow<no_signed_wrap> : tile<2x2xi32> -> tile<2x2xi8>
    %t8 = print_tko "broken %i", %broken : tile<2x2xi8> -> token
    %free = exti %p signed : tile<i32> -> tile<i64>
    %t9 = print_tko "free %i", %free : tile<i64> -> token
    return
  }
}
// rewrites:
//    8 constant_fold
//    7 dead_code
//   12 constant_fold
//   11 dead_code
//   16 constant_fold
//   23 constant_fold
//   22 dead_code
//   35 constant_fold
//   34 dead_code
