// test: opt --passes=canonicalize-full
// Comparisons fold, also of a NaN and of an `iota` if all elements agree.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires at rank 0.
    %a = constant <i32: -1> : tile<i32>
    %b = constant <i32: 1> : tile<i32>
    %below = cmpi less_than %a, %b, unsigned : tile<i32> -> tile<i1>
    %t0 = print_tko "below %i", %below : tile<i1> -> token
    // Fires at rank 2; a NaN is unordered.
    %x = constant <f32: [[1.0, 2.0], [0x7FC00000, 4.0]]> : tile<2x2xf32>
    %y = constant <f32: 2.0> : tile<2x2xf32>
    %less = cmpf less_than unordered %x, %y : tile<2x2xf32> -> tile<2x2xi1>
    %t1 = print_tko "less %i", %less : tile<2x2xi1> -> token
    // Fires: every count is below 128.
    %i = iota : tile<128xi32>
    %n = constant <i32: 128> : tile<128xi32>
    %inside = cmpi less_than %i, %n, unsigned : tile<128xi32> -> tile<128xi1>
    %t2 = print_tko "inside %i", %inside : tile<128xi1> -> token
    // Does not fire: one count is not below 127.
    %n1 = constant <i32: 127> : tile<128xi32>
    %partly = cmpi less_than %i, %n1, unsigned : tile<128xi32> -> tile<128xi1>
    %t3 = print_tko "partly %i", %partly : tile<128xi1> -> token
    // Does not fire: an operand is no constant.
    %free = cmpi equal %p, %a, signed : tile<i32> -> tile<i1>
    %t4 = print_tko "free %i", %free : tile<i1> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %inside = constant <i1: true> : tile<128xi1>
    %less = constant <i1: [[true, false], [true, false]]> : tile<2x2xi1>
    %below = constant <i1: false> : tile<i1>
    %n1 = constant <i32: 127> : tile<128xi32>
    %a = constant <i32: -1> : tile<i32>
    %t0 = print_tko "below %i", %below : tile<i1> -> token
    %t1 = print_tko "less %i", %less : tile<2x2xi1> -> token
    %i = iota : tile<128xi32>
    %t2 = print_tko "inside %i", %inside : tile<128xi1> -> token
    %partly = cmpi less_than %i, %n1, unsigned : tile<128xi32> -> tile<128xi1>
    %t3 = print_tko "partly %i", %partly : tile<128xi1> -> token
    %free = cmpi equal %p, %a, signed : tile<i32> -> tile<i1>
    %t4 = print_tko "free %i", %free : tile<i1> -> token
    return
  }
}
// rewrites:
//    9 constant_fold
//    8 dead_code
//   14 constant_fold
//   13 dead_code
//   12 dead_code
//   19 constant_fold
//   18 dead_code
