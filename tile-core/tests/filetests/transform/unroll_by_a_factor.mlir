// test: opt --passes=unroll
// Bounds that are not known: as many whole groups as there are, and a loop with the rest.
// Carried values, tokens among them, go through all bodies.

cuda_tile.module @m {
  testing$func @f(%a: tile<2x2xi32>, %low: tile<i32>, %n: tile<i32>) -> tile<2x2xi32> {
    %one = constant <i32: 1> : tile<i32>
    %t = make_token : token
    %r, %u = for %i in (%low to %n, step %one) : tile<i32> iter_values(%s = %a, %v = %t) -> (tile<2x2xi32>, token) {
      %b = addi %s, %a : tile<2x2xi32>
      %w = print_tko "%d", %i token=%v : tile<i32> -> token
      continue %b, %w : tile<2x2xi32>, token
    } {cuda_tile.unroll = 3 : i32, keep = 1 : i32}
    return %r : tile<2x2xi32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<2x2xi32>, %low: tile<i32>, %n: tile<i32>) -> tile<2x2xi32> {
    %one = constant <i32: 1> : tile<i32>
    %t = make_token : token
    %0 = maxi %n, %low signed : tile<i32>
    %1 = subi %0, %low : tile<i32>
    %2 = constant <i32: 3> : tile<i32>
    %3 = remi %1, %2 unsigned : tile<i32>
    %4 = subi %1, %3 : tile<i32>
    %5 = addi %low, %4 : tile<i32>
    %6 = constant <i32: 3> : tile<i32>
    %7 = constant <i32: 1> : tile<i32>
    %8 = constant <i32: 2> : tile<i32>
    %9, %10 = for %i in (%low to %5, step %6) : tile<i32> iter_values(%s = %a, %v = %t) -> (tile<2x2xi32>, token) {
      %b = addi %s, %a : tile<2x2xi32>
      %w = print_tko "%d", %i token=%v : tile<i32> -> token
      %11 = addi %i, %7 : tile<i32>
      %12 = addi %b, %a : tile<2x2xi32>
      %13 = print_tko "%d", %11 token=%w : tile<i32> -> token
      %14 = addi %i, %8 : tile<i32>
      %15 = addi %12, %a : tile<2x2xi32>
      %16 = print_tko "%d", %14 token=%13 : tile<i32> -> token
      continue %15, %16 : tile<2x2xi32>, token
    } {keep = 1 : i32}
    %r, %u = for %i in (%5 to %n, step %one) : tile<i32> iter_values(%s = %9, %v = %10) -> (tile<2x2xi32>, token) {
      %b = addi %s, %a : tile<2x2xi32>
      %w = print_tko "%d", %i token=%v : tile<i32> -> token
      continue %b, %w : tile<2x2xi32>, token
    } {keep = 1 : i32}
    return %r : tile<2x2xi32>
  }
}
// rewrites:
//    9 unroll
