// test: opt --passes=canonicalize-full
// Bits of constants fold.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires at rank 0.
    %a = constant <i8: 12> : tile<i8>
    %b = constant <i8: 10> : tile<i8>
    %and = andi %a, %b : tile<i8>
    %t0 = print_tko "and %i", %and : tile<i8> -> token
    // Fires at rank 2.
    %m = constant <i1: [[1, 0], [0, 1]]> : tile<2x2xi1>
    %t = constant <i1: 1> : tile<2x2xi1>
    %not = xori %m, %t : tile<2x2xi1>
    %t1 = print_tko "not %i", %not : tile<2x2xi1> -> token
    // Does not fire: an operand is no constant.
    %c = constant <i32: 6> : tile<i32>
    %free = ori %p, %c : tile<i32>
    %t2 = print_tko "free %i", %free : tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %not = constant <i1: [[false, true], [true, false]]> : tile<2x2xi1>
    %and = constant <i8: 8> : tile<i8>
    %c = constant <i32: 6> : tile<i32>
    %t0 = print_tko "and %i", %and : tile<i8> -> token
    %t1 = print_tko "not %i", %not : tile<2x2xi1> -> token
    %free = ori %p, %c : tile<i32>
    %t2 = print_tko "free %i", %free : tile<i32> -> token
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
