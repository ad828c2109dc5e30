// test: opt --passes=canonicalize-full
// Float arithmetic folds where every device gives the same bits.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires at rank 0, rounded to zero.
    %one = constant <f32: 1.0> : tile<f32>
    %three = constant <f32: 3.0> : tile<f32>
    %third = divf %one, %three rounding<zero> : tile<f32>
    %t0 = print_tko "third %f", %third : tile<f32> -> token
    // Does not fire: the quotient is approximate.
    %about = divf %one, %three rounding<approx> : tile<f32>
    %t1 = print_tko "about %f", %about : tile<f32> -> token
    // Fires at rank 2.
    %m = constant <f64: [[1.0, 4.0], [9.0, 16.0]]> : tile<2x2xf64>
    %roots = sqrt %m : tile<2x2xf64>
    %t2 = print_tko "roots %f", %roots : tile<2x2xf64> -> token
    // Does not fire: the root is a NaN.
    %neg = constant <f32: -1.0> : tile<f32>
    %root = sqrt %neg : tile<f32>
    %t3 = print_tko "root %f", %root : tile<f32> -> token
    // Fires: infinity is a number.
    %inf = constant <f32: 0x7F800000> : tile<f32>
    %least = negf %inf : tile<f32>
    %t4 = print_tko "least %f", %least : tile<f32> -> token
    // Does not fire: the payload of a NaN might change.
    %nan = constant <f32: 0x7FC00001> : tile<f32>
    %other = negf %nan : tile<f32>
    %t5 = print_tko "other %f", %other : tile<f32> -> token
    // Fires: which is greater is clear.
    %zero = constant <f32: 0.0> : tile<f32>
    %greater = maxf %zero, %neg : tile<f32>
    %t6 = print_tko "greater %f", %greater : tile<f32> -> token
    // Does not fire: zeros of different sign.
    %minus = constant <f32: -0.0> : tile<f32>
    %either = maxf %zero, %minus : tile<f32>
    %t7 = print_tko "either %f", %either : tile<f32> -> token
    // Does not fire: functions differ between devices.
    %e = exp %one : tile<f32>
    %t8 = print_tko "e %f", %e : tile<f32> -> token
    // Does not fire: a subnormal is flushed.
    %sub = constant <f32: 0x00400000> : tile<f32>
    %flushed = mulf %sub, %one flush_to_zero : tile<f32>
    %t9 = print_tko "flushed %f", %flushed : tile<f32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %least = constant <f32: 0xFF800000> : tile<f32>
    %roots = constant <f64: [[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tile<2x2xf64>
    %third = constant <f32: 0.333333313> : tile<f32>
    %sub = constant <f32: 5.87747175E-39> : tile<f32>
    %minus = constant <f32: -0.000000e+00> : tile<f32>
    %zero = constant <f32: 0.000000e+00> : tile<f32>
    %nan = constant <f32: 0x7FC00001> : tile<f32>
    %neg = constant <f32: -1.000000e+00> : tile<f32>
    %one = constant <f32: 1.000000e+00> : tile<f32>
    %three = constant <f32: 3.000000e+00> : tile<f32>
    %t0 = print_tko "third %f", %third : tile<f32> -> token
    %about = divf %one, %three rounding<approx> : tile<f32>
    %t1 = print_tko "about %f", %about : tile<f32> -> token
    %t2 = print_tko "roots %f", %roots : tile<2x2xf64> -> token
    %root = sqrt %neg : tile<f32>
    %t3 = print_tko "root %f", %root : tile<f32> -> token
    %t4 = print_tko "least %f", %least : tile<f32> -> token
    %other = negf %nan : tile<f32>
    %t5 = print_tko "other %f", %other : tile<f32> -> token
    %t6 = print_tko "greater %f", %zero : tile<f32> -> token
    %either = maxf %zero, %minus : tile<f32>
    %t7 = print_tko "either %f", %either : tile<f32> -> token
    %e = exp %one : tile<f32>
    %t8 = print_tko "e %f", %e : tile<f32> -> token
    %flushed = mulf %sub, %one flush_to_zero : tile<f32>
    %t9 = print_tko "flushed %f", %flushed : tile<f32> -> token
    return
  }
}
// rewrites:
//    9 constant_fold
//   16 constant_fold
//   15 dead_code
//   24 constant_fold
//   23 dead_code
//   32 constant_fold
