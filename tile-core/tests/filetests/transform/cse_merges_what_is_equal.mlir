// test: opt --passes=cse
// The same operands and attributes; of a commutative operation in either order; a division,
// though it may be undefined. Of rank 0 and 2, and in a region that the first dominates.

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %b: tile<i32>, %c: tile<i1>, %x: tile<2x2xf32>) {
    %s0 = addi %a, %b : tile<i32>
    %s1 = addi %b, %a : tile<i32>
    %d0 = divi %a, %b signed : tile<i32>
    %d1 = divi %a, %b signed : tile<i32>
    %m0 = mulf %x, %x : tile<2x2xf32>
    if %c {
      %s2 = addi %a, %b : tile<i32>
      %m1 = mulf %x, %x : tile<2x2xf32>
      print_tko "%d %f", %s2, %m1 : tile<i32>, tile<2x2xf32> -> token
    }
    print_tko "%d %d %d %d %f", %s0, %s1, %d0, %d1, %m0 : tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<2x2xf32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %b: tile<i32>, %c: tile<i1>, %x: tile<2x2xf32>) {
    %s0 = addi %a, %b : tile<i32>
    %d0 = divi %a, %b signed : tile<i32>
    %m0 = mulf %x, %x : tile<2x2xf32>
    if %c {
      %0 = print_tko "%d %f", %s0, %m0 : tile<i32>, tile<2x2xf32> -> token
    }
    %1 = print_tko "%d %d %d %d %f", %s0, %s0, %d0, %d0, %m0 : tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<2x2xf32> -> token
    return
  }
}
// rewrites:
//    8 common_subexpression
//   10 common_subexpression
//   13 common_subexpression
//   14 common_subexpression
