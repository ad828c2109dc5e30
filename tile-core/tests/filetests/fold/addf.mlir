// test: opt --passes=canonicalize-full
// The sum of finite constants, with the declared rounding.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires at rank 0.
    %a = constant <f32: 1.5> : tile<f32>
    %b = constant <f32: 2.25> : tile<f32>
    %sum = addf %a, %b : tile<f32>
    %t0 = print_tko "sum %f", %sum : tile<f32> -> token
    // Fires at rank 2.
    %m = constant <f16: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf16>
    %h = constant <f16: 0.5> : tile<2x2xf16>
    %sums = addf %m, %h : tile<2x2xf16>
    %t1 = print_tko "sums %f", %sums : tile<2x2xf16> -> token
    // Fires, to the nearest even: 1.
    %one = constant <f32: 1.0> : tile<f32>
    %tiny = constant <f32: 0x33000000> : tile<f32>
    %even = addf %one, %tiny : tile<f32>
    %t2 = print_tko "even %f", %even : tile<f32> -> token
    // Fires, up: the successor of 1.
    %up = addf %one, %tiny rounding<positive_inf> : tile<f32>
    %t3 = print_tko "up %f", %up : tile<f32> -> token
    // Fires: opposite zeros give -0 rounding down.
    %zero = constant <f32: 0.0> : tile<f32>
    %minus = constant <f32: -0.0> : tile<f32>
    %down = addf %zero, %minus rounding<negative_inf> : tile<f32>
    %t4 = print_tko "down %f", %down : tile<f32> -> token
    // Does not fire: an operand is infinite.
    %inf = constant <f32: 0x7F800000> : tile<f32>
    %infinite = addf %one, %inf : tile<f32>
    %t5 = print_tko "infinite %f", %infinite : tile<f32> -> token
    // Does not fire: an operand is a NaN.
    %nan = constant <f32: 0x7FC00000> : tile<f32>
    %none = addf %nan, %one : tile<f32>
    %t6 = print_tko "none %f", %none : tile<f32> -> token
    // Does not fire: the sum is not finite.
    %max = constant <f32: 0x7F7FFFFF> : tile<f32>
    %over = addf %max, %max : tile<f32>
    %t7 = print_tko "over %f", %over : tile<f32> -> token
    // Does not fire: an operand is no constant.
    %q = itof %p signed : tile<i32> -> tile<f32>
    %free = addf %q, %one : tile<f32>
    %t8 = print_tko "free %f", %free : tile<f32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %up = constant <f32: 1.00000012> : tile<f32>
    %sums = constant <f16: [[1.500000e+00, 2.500000e+00], [3.500000e+00, 4.500000e+00]]> : tile<2x2xf16>
    %sum = constant <f32: 3.750000e+00> : tile<f32>
    %max = constant <f32: 3.40282347E+38> : tile<f32>
    %nan = constant <f32: 0x7FC00000> : tile<f32>
    %inf = constant <f32: 0x7F800000> : tile<f32>
    %minus = constant <f32: -0.000000e+00> : tile<f32>
    %one = constant <f32: 1.000000e+00> : tile<f32>
    %t0 = print_tko "sum %f", %sum : tile<f32> -> token
    %t1 = print_tko "sums %f", %sums : tile<2x2xf16> -> token
    %t2 = print_tko "even %f", %one : tile<f32> -> token
    %t3 = print_tko "up %f", %up : tile<f32> -> token
    %t4 = print_tko "down %f", %minus : tile<f32> -> token
    %infinite = addf %one, %inf : tile<f32>
    %t5 = print_tko "infinite %f", %infinite : tile<f32> -> token
    %none = addf %nan, %one : tile<f32>
    %t6 = print_tko "none %f", %none : tile<f32> -> token
    %over = addf %max, %max : tile<f32>
    %t7 = print_tko "over %f", %over : tile<f32> -> token
    %q = itof %p signed : tile<i32> -> tile<f32>
    %free = addf %q, %one : tile<f32>
    %t8 = print_tko "free %f", %free : tile<f32> -> token
    return
  }
}
// rewrites:
//    9 constant_fold
//    8 dead_code
//    7 dead_code
//   14 constant_fold
//   13 dead_code
//   12 dead_code
//   19 constant_fold
//   22 constant_fold
//   18 dead_code
//   27 constant_fold
//   25 dead_code
