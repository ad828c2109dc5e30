// test: opt --passes=unroll
// 7 trips by 3 leave one; by 7 nothing, and no loop; 6 trips by 2 leave nothing. 0 and
// `full` make all bodies, negative counters too. A loop without trips is what it carries.

cuda_tile.module @m {
  testing$func @f(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %low = constant <i8: -3> : tile<i8>
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %two = constant <i8: 2> : tile<i8>
    %four = constant <i8: 4> : tile<i8>
    %nine = constant <i8: 9> : tile<i8>
    for %i in (%low to %four, step %one) : tile<i8> {
      print_tko "a %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 3 : i32}
    for %i in (%low to %four, step %two) : tile<i8> {
      print_tko "b %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 7 : i32}
    for %i in (%low to %nine, step %two) : tile<i8> {
      print_tko "c %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 2 : i32}
    %r = for %i in (%low to %zero, step %two) : tile<i8> iter_values(%s = %x) -> (tile<i8>) {
      %t = addi %s, %i : tile<i8>
      continue %t : tile<i8>
    } {cuda_tile.unroll = 0 : i32}
    %q = for unsigned %i in (%low to %zero, step %two) : tile<i8> iter_values(%s = %x) -> (tile<i8>) {
      %t = addi %s, %i : tile<i8>
      continue %t : tile<i8>
    } {cuda_tile.unroll = "full"}
    return %r, %q : tile<i8>, tile<i8>
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%x: tile<i8>) -> (tile<i8>, tile<i8>) {
    %low = constant <i8: -3> : tile<i8>
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %two = constant <i8: 2> : tile<i8>
    %four = constant <i8: 4> : tile<i8>
    %nine = constant <i8: 9> : tile<i8>
    %0 = constant <i8: 3> : tile<i8>
    %1 = constant <i8: 3> : tile<i8>
    %2 = constant <i8: 1> : tile<i8>
    %3 = constant <i8: 2> : tile<i8>
    for %i in (%low to %0, step %1) : tile<i8> {
      %4 = print_tko "a %d", %i : tile<i8> -> token
      %5 = addi %i, %2 : tile<i8>
      %6 = print_tko "a %d", %5 : tile<i8> -> token
      %7 = addi %i, %3 : tile<i8>
      %8 = print_tko "a %d", %7 : tile<i8> -> token
    }
    for %i in (%0 to %four, step %one) : tile<i8> {
      %9 = print_tko "a %d", %i : tile<i8> -> token
    }
    %10 = constant <i8: -3> : tile<i8>
    %11 = print_tko "b %d", %10 : tile<i8> -> token
    %12 = constant <i8: -1> : tile<i8>
    %13 = print_tko "b %d", %12 : tile<i8> -> token
    %14 = constant <i8: 1> : tile<i8>
    %15 = print_tko "b %d", %14 : tile<i8> -> token
    %16 = constant <i8: 3> : tile<i8>
    %17 = print_tko "b %d", %16 : tile<i8> -> token
    %18 = constant <i8: 4> : tile<i8>
    %19 = constant <i8: 2> : tile<i8>
    for %i in (%low to %nine, step %18) : tile<i8> {
      %20 = print_tko "c %d", %i : tile<i8> -> token
      %21 = addi %i, %19 : tile<i8>
      %22 = print_tko "c %d", %21 : tile<i8> -> token
    }
    %23 = constant <i8: -3> : tile<i8>
    %t = addi %x, %23 : tile<i8>
    %24 = constant <i8: -1> : tile<i8>
    %25 = addi %t, %24 : tile<i8>
    return %25, %x : tile<i8>, tile<i8>
  }
}
// rewrites:
//   26 unroll
//   22 unroll
//   19 unroll
//   16 unroll
//   13 unroll
