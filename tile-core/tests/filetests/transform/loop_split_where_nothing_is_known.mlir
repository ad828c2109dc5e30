// test: opt --passes=loop-split
// A bound that may be the greatest number, so that one more wraps, and a step that is not
// known: distances are worked out that do not wrap. Carried values and tokens go through
// both loops, and the comparison stays where something else uses it.

cuda_tile.module @m {
  testing$func @f(%low: tile<i16>, %n: tile<i16>, %s: tile<i16>, %r: tile<i16>, %x: tile<4xf32>) -> (tile<4xf32>, tile<i1>) {
    %false = constant <i1: false> : tile<i1>
    %t = make_token : token
    %y, %z, %u = for %i in (%low to %n, step %s) : tile<i16> iter_values(%v = %x, %w = %false, %q = %t) -> (tile<4xf32>, tile<i1>, token) {
      %c = cmpi less_than_or_equal %i, %r, signed : tile<i16> -> tile<i1>
      %a, %b = if %c -> (tile<4xf32>, token) {
        %p = print_tko "%d", %i token=%q : tile<i16> -> token
        yield %v, %p : tile<4xf32>, token
      } else {
        %d = addf %v, %v : tile<4xf32>
        yield %d, %q : tile<4xf32>, token
      }
      continue %a, %c, %b : tile<4xf32>, tile<i1>, token
    }
    return %y, %z : tile<4xf32>, tile<i1>
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%low: tile<i16>, %n: tile<i16>, %s: tile<i16>, %r: tile<i16>, %x: tile<4xf32>) -> (tile<4xf32>, tile<i1>) {
    %false = constant <i1: false> : tile<i1>
    %t = make_token : token
    %0 = constant <i16: 1> : tile<i16>
    %1 = subi %n, %0 : tile<i16>
    %2 = mini %r, %1 signed : tile<i16>
    %3 = addi %2, %0 : tile<i16>
    %4 = maxi %n, %low signed : tile<i16>
    %5 = maxi %3, %low signed : tile<i16>
    %6 = mini %5, %4 signed : tile<i16>
    %7 = subi %6, %low : tile<i16>
    %8 = remi %7, %s unsigned : tile<i16>
    %9 = subi %s, %8 : tile<i16>
    %10 = constant <i16: 0> : tile<i16>
    %11 = cmpi equal %8, %10, unsigned : tile<i16> -> tile<i1>
    %12 = select %11, %10, %9 : tile<i1>, tile<i16>
    %13 = subi %4, %6 : tile<i16>
    %14 = mini %12, %13 unsigned : tile<i16>
    %15 = addi %6, %14 : tile<i16>
    %16, %17, %18 = for %i in (%low to %6, step %s) : tile<i16> iter_values(%v = %x, %w = %false, %q = %t) -> (tile<4xf32>, tile<i1>, token) {
      %19 = constant <i1: true> : tile<i1>
      %p = print_tko "%d", %i token=%q : tile<i16> -> token
      continue %v, %19, %p : tile<4xf32>, tile<i1>, token
    }
    %y, %z, %u = for %i in (%15 to %n, step %s) : tile<i16> iter_values(%v = %16, %w = %17, %q = %18) -> (tile<4xf32>, tile<i1>, token) {
      %20 = constant <i1: false> : tile<i1>
      %d = addf %v, %v : tile<4xf32>
      continue %d, %20, %q : tile<4xf32>, tile<i1>, token
    }
    return %y, %z : tile<4xf32>, tile<i1>
  }
}
// rewrites:
//   10 loop_split
