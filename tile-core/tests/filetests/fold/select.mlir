// test: opt --passes=canonicalize-full
// A selection between constants is a constant.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires at rank 0.
    %t = constant <i1: 1> : tile<i1>
    %a = constant <i32: 1> : tile<i32>
    %b = constant <i32: 2> : tile<i32>
    %r0 = select %t, %a, %b : tile<i1>, tile<i32>
    %t0 = print_tko "r0 %i", %r0 : tile<i32> -> token
    // Fires at rank 2.
    %mask = constant <i1: [[0, 1], [1, 0]]> : tile<2x2xi1>
    %x = constant <f32: 0x7F800001> : tile<2x2xf32>
    %y = constant <f32: 2.0> : tile<2x2xf32>
    %r1 = select %mask, %x, %y : tile<2x2xi1>, tile<2x2xf32>
    %t1 = print_tko "r1 %f", %r1 : tile<2x2xf32> -> token
    // Does not fire: an arm is no constant, the condition neither.
    %c = cmpi equal %p, %a, signed : tile<i32> -> tile<i1>
    %r2 = select %c, %a, %p : tile<i1>, tile<i32>
    %t2 = print_tko "r2 %i", %r2 : tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %r1 = constant <f32: [[2.000000e+00, 0x7F800001], [0x7F800001, 2.000000e+00]]> : tile<2x2xf32>
    %a = constant <i32: 1> : tile<i32>
    %t0 = print_tko "r0 %i", %a : tile<i32> -> token
    %t1 = print_tko "r1 %f", %r1 : tile<2x2xf32> -> token
    %t2 = print_tko "r2 %i", %p : tile<i32> -> token
    return
  }
}
// rewrites:
//   10 select_constant_condition
//    9 dead_code
//    7 dead_code
//   16 constant_fold
//   15 dead_code
//   14 dead_code
//   13 dead_code
//   20 select_equal
//   19 dead_code
