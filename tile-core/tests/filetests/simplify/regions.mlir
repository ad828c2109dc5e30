// test: opt --passes=simplify
// Expressions inside of regions are simplified where they stand. Operations with regions stay, even an `if` whose condition
// becomes known, and so does what stands in other blocks. A counter is at least its lower bound and below its upper bound,
// and a multiple of what both the lower bound and the step are multiples of; which a carried value is not.

cuda_tile.module @m {
  testing$func @in_branches(%c: tile<i1>, %x: tile<i32>) -> tile<i32> {
    %zero = constant <i32: 0> : tile<i32>
    %t = constant <i1: true> : tile<i1>
    %n = xori %c, %t : tile<i1>
    %m = xori %n, %t : tile<i1>
    %r = if %m -> (tile<i32>) {
      %a = addi %x, %zero : tile<i32>
      %two = constant <i32: 2> : tile<i32>
      %b = subi %a, %two : tile<i32>
      yield %b : tile<i32>
    } else {
      %three = constant <i32: 3> : tile<i32>
      %b = addi %x, %three : tile<i32>
      %d = addi %b, %three : tile<i32>
      yield %d : tile<i32>
    }
    return %r : tile<i32>
  }
  testing$func @known_condition(%x: tile<i32>) -> tile<i32> {
    %c = cmpi equal %x, %x, signed : tile<i32> -> tile<i1>
    %r = if %c -> (tile<i32>) {
      yield %x : tile<i32>
    } else {
      %d = addi %x, %x : tile<i32>
      yield %d : tile<i32>
    }
    return %r : tile<i32>
  }
  testing$func @counter(%n: tile<i32>) -> (tile<i32>, tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %step = constant <i32: 16> : tile<i32>
    %end = constant <i32: 100> : tile<i32>
    %r, %s = for %i in (%zero to %end, step %step) : tile<i32> iter_values(%k = %zero, %l = %zero) -> (tile<i32>, tile<i32>) {
      %quotient = divi %i, %step signed : tile<i32>
      %rest = remi %i, %step signed : tile<i32>
      %carried = remi %k, %step signed : tile<i32>
      %less = cmpi less_than %i, %end, signed : tile<i32> -> tile<i1>
      %e = exti %less unsigned : tile<i1> -> tile<i32>
      %a = addi %quotient, %rest : tile<i32>
      %b = addi %a, %carried : tile<i32>
      %d = addi %l, %e : tile<i32>
      continue %b, %d : tile<i32>, tile<i32>
    }
    return %r, %s : tile<i32>, tile<i32>
  }
  testing$func @counter_with_unknown_bounds(%lb: tile<i8>, %ub: tile<i8>) -> tile<i1> {
    %false = constant <i1: false> : tile<i1>
    %one = constant <i8: 1> : tile<i8>
    %zero = constant <i8: 0> : tile<i8>
    %r = for %i in (%lb to %ub, step %one) : tile<i8> iter_values(%k = %false) -> (tile<i1>) {
      %negative = cmpi less_than %i, %zero, signed : tile<i8> -> tile<i1>
      continue %negative : tile<i1>
    }
    return %r : tile<i1>
  }
  testing$func @loop_over_signed_and_unsigned() -> (tile<i1>, tile<i1>) {
    %false = constant <i1: false> : tile<i1>
    %one = constant <i8: 1> : tile<i8>
    %zero = constant <i8: 0> : tile<i8>
    %low = constant <i8: -4> : tile<i8>
    %r = for %i in (%low to %one, step %one) : tile<i8> iter_values(%k = %false) -> (tile<i1>) {
      %below = cmpi less_than %i, %one, signed : tile<i8> -> tile<i1>
      %negative = cmpi less_than %i, %zero, signed : tile<i8> -> tile<i1>
      %a = andi %below, %negative : tile<i1>
      continue %a : tile<i1>
    }
    %s = for unsigned %i in (%zero to %low, step %one) : tile<i8> iter_values(%k = %false) -> (tile<i1>) {
      %below = cmpi less_than %i, %low, unsigned : tile<i8> -> tile<i1>
      %negative = cmpi less_than %i, %zero, signed : tile<i8> -> tile<i1>
      %a = andi %below, %negative : tile<i1>
      continue %a : tile<i1>
    }
    return %r, %s : tile<i1>, tile<i1>
  }
}
// output:
cuda_tile.module @m {
  testing$func @in_branches(%c: tile<i1>, %x: tile<i32>) -> tile<i32> {
    %0 = constant <i32: 6> : tile<i32>
    %1 = constant <i32: -2> : tile<i32>
    %r = if %c -> (tile<i32>) {
      %b = addi %x, %1 : tile<i32>
      yield %b : tile<i32>
    } else {
      %d = addi %x, %0 : tile<i32>
      yield %d : tile<i32>
    }
    return %r : tile<i32>
  }
  testing$func @known_condition(%x: tile<i32>) -> tile<i32> {
    %c = constant <i1: true> : tile<i1>
    %r = if %c -> (tile<i32>) {
      yield %x : tile<i32>
    } else {
      %d = addi %x, %x : tile<i32>
      yield %d : tile<i32>
    }
    return %r : tile<i32>
  }
  testing$func @counter(%n: tile<i32>) -> (tile<i32>, tile<i32>) {
    %e = constant <i32: 1> : tile<i32>
    %0 = constant <i32: 4> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %step = constant <i32: 16> : tile<i32>
    %end = constant <i32: 100> : tile<i32>
    %r, %s = for %i in (%zero to %end, step %step) : tile<i32> iter_values(%k = %zero, %l = %zero) -> (tile<i32>, tile<i32>) {
      %quotient = shri %i, %0 unsigned : tile<i32>
      %carried = remi %k, %step signed : tile<i32>
      %b = addi %quotient, %carried : tile<i32>
      %d = addi %l, %e : tile<i32>
      continue %b, %d : tile<i32>, tile<i32>
    }
    return %r, %s : tile<i32>, tile<i32>
  }
  testing$func @counter_with_unknown_bounds(%lb: tile<i8>, %ub: tile<i8>) -> tile<i1> {
    %false = constant <i1: false> : tile<i1>
    %one = constant <i8: 1> : tile<i8>
    %zero = constant <i8: 0> : tile<i8>
    %r = for %i in (%lb to %ub, step %one) : tile<i8> iter_values(%k = %false) -> (tile<i1>) {
      %negative = cmpi less_than %i, %zero, signed : tile<i8> -> tile<i1>
      continue %negative : tile<i1>
    }
    return %r : tile<i1>
  }
  testing$func @loop_over_signed_and_unsigned() -> (tile<i1>, tile<i1>) {
    %false = constant <i1: false> : tile<i1>
    %one = constant <i8: 1> : tile<i8>
    %zero = constant <i8: 0> : tile<i8>
    %low = constant <i8: -4> : tile<i8>
    %r = for %i in (%low to %one, step %one) : tile<i8> iter_values(%k = %false) -> (tile<i1>) {
      %negative = cmpi less_than %i, %zero, signed : tile<i8> -> tile<i1>
      continue %negative : tile<i1>
    }
    %s = for unsigned %i in (%zero to %low, step %one) : tile<i8> iter_values(%k = %false) -> (tile<i1>) {
      %negative = cmpi less_than %i, %zero, signed : tile<i8> -> tile<i1>
      continue %negative : tile<i1>
    }
    return %r, %s : tile<i1>, tile<i1>
  }
}
// rewrites:
//   11 xor_constants
//   13 add_zero
//   15 sub_constant
//   20 add_constants
//   26 compare_same
//   40 div_power
//   41 known_value
//   43 compare_known
//   44 known_value
//   45 add_zero
//   68 compare_known
//   70 constant_right
//   70 and_known
//   74 compare_known
//   76 constant_right
//   76 and_known
