// test: opt --passes=canonicalize-full
// Integer arithmetic folds wherever it is defined; what traps or breaks a promise stays.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires at rank 0, wrapping.
    %a = constant <i32: 2147483647> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = addi %a, %one : tile<i32>
    %t0 = print_tko "sum %i", %sum : tile<i32> -> token
    // Fires at rank 2, element by element.
    %m = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    %ten = constant <i32: 10> : tile<2x2xi32>
    %product = muli %m, %ten : tile<2x2xi32>
    %t1 = print_tko "product %i", %product : tile<2x2xi32> -> token
    // Fires on splats of any size.
    %x = constant <i32: 7> : tile<128x128xi32>
    %y = constant <i32: -2> : tile<128x128xi32>
    %quotient = divi %x, %y signed rounding<negative_inf> : tile<128x128xi32>
    %t2 = print_tko "quotient %i", %quotient : tile<128x128xi32> -> token
    // Does not fire: the divisor is zero.
    %zero = constant <i32: 0> : tile<i32>
    %trap = divi %one, %zero signed : tile<i32>
    %t3 = print_tko "trap %i", %trap : tile<i32> -> token
    // Does not fire: the promise is broken.
    %broken = addi %a, %one overflow<no_signed_wrap> : tile<i32>
    %t4 = print_tko "broken %i", %broken : tile<i32> -> token
    // Does not fire: an operand is no constant.
    %free = remi %p, %a signed : tile<i32>
    %t5 = print_tko "free %i", %free : tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %quotient = constant <i32: -4> : tile<128x128xi32>
    %product = constant <i32: [[10, 20], [30, 40]]> : tile<2x2xi32>
    %sum = constant <i32: -2147483648> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %a = constant <i32: 2147483647> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %t0 = print_tko "sum %i", %sum : tile<i32> -> token
    %t1 = print_tko "product %i", %product : tile<2x2xi32> -> token
    %t2 = print_tko "quotient %i", %quotient : tile<128x128xi32> -> token
    %trap = divi %one, %zero unsigned : tile<i32>
    %t3 = print_tko "trap %i", %trap : tile<i32> -> token
    %t4 = print_tko "broken %i", %sum : tile<i32> -> token
    %free = remi %p, %a signed : tile<i32>
    %t5 = print_tko "free %i", %free : tile<i32> -> token
    return
  }
}
// rewrites:
//    9 constant_fold
//   14 constant_fold
//   13 dead_code
//   12 dead_code
//   19 constant_fold
//   18 dead_code
//   17 dead_code
//   23 div_nonnegative
//   26 known_value
