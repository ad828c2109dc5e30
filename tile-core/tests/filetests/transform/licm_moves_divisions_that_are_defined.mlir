// test: opt --passes=licm
// By a constant that is neither 0 nor, where the quotient may not fit, -1; a shift by less
// than the width; unsigned and remainder also by -1. By a parameter nothing moves.

cuda_tile.module @m {
  testing$func @f(%a: tile<2xi8>, %n: tile<i8>, %p: tile<2xi8>) {
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %three = constant <i8: [3, 5]> : tile<2xi8>
    %hole = constant <i8: [3, 0]> : tile<2xi8>
    %minus = constant <i8: [-1, 5]> : tile<2xi8>
    %eight = constant <i8: [3, 8]> : tile<2xi8>
    for %i in (%zero to %n, step %one) : tile<i8> {
      %q0 = divi %a, %three signed : tile<2xi8>
      %q1 = divi %a, %hole signed : tile<2xi8>
      %q2 = divi %a, %minus signed : tile<2xi8>
      %q3 = divi %a, %minus unsigned : tile<2xi8>
      %q4 = remi %a, %minus signed : tile<2xi8>
      %q5 = divi %a, %p signed : tile<2xi8>
      %q6 = remi %a, %hole unsigned : tile<2xi8>
      %q7 = shli %a, %three overflow<no_wrap> : tile<2xi8>
      %q8 = shri %a, %three signed : tile<2xi8>
      %q9 = shri %a, %eight signed : tile<2xi8>
      %q10 = shli %a, %p : tile<2xi8>
      print_tko "%d %d %d %d %d %d %d %d %d %d %d", %q0, %q1, %q2, %q3, %q4, %q5, %q6, %q7, %q8, %q9, %q10 : tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8> -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<2xi8>, %n: tile<i8>, %p: tile<2xi8>) {
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %three = constant <i8: [3, 5]> : tile<2xi8>
    %hole = constant <i8: [3, 0]> : tile<2xi8>
    %minus = constant <i8: [-1, 5]> : tile<2xi8>
    %eight = constant <i8: [3, 8]> : tile<2xi8>
    %q0 = divi %a, %three signed : tile<2xi8>
    %q3 = divi %a, %minus unsigned : tile<2xi8>
    %q4 = remi %a, %minus signed : tile<2xi8>
    %q7 = shli %a, %three : tile<2xi8>
    %q8 = shri %a, %three signed : tile<2xi8>
    for %i in (%zero to %n, step %one) : tile<i8> {
      %q1 = divi %a, %hole signed : tile<2xi8>
      %q2 = divi %a, %minus signed : tile<2xi8>
      %q5 = divi %a, %p signed : tile<2xi8>
      %q6 = remi %a, %hole unsigned : tile<2xi8>
      %q9 = shri %a, %eight signed : tile<2xi8>
      %q10 = shli %a, %p : tile<2xi8>
      %0 = print_tko "%d %d %d %d %d %d %d %d %d %d %d", %q0, %q1, %q2, %q3, %q4, %q5, %q6, %q7, %q8, %q9, %q10 : tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8> -> token
    }
    return
  }
}
// rewrites:
//   14 hoist
//   17 hoist
//   18 hoist
//   21 drop_overflow
//   21 hoist
//   22 hoist
