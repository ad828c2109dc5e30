// test: opt --passes=unroll
// The bodies of the outer loop hold those of the inner one.

cuda_tile.module @m {
  testing$func @f(%n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    for %i in (%zero to %two, step %one) : tile<i32> {
      for %j in (%zero to %two, step %one) : tile<i32> {
        print_tko "%d %d", %i, %j : tile<i32>, tile<i32> -> token
      } {cuda_tile.unroll = 0 : i32}
    } {cuda_tile.unroll = 0 : i32}
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 0> : tile<i32>
    %2 = print_tko "%d %d", %0, %1 : tile<i32>, tile<i32> -> token
    %3 = constant <i32: 1> : tile<i32>
    %4 = print_tko "%d %d", %0, %3 : tile<i32>, tile<i32> -> token
    %5 = constant <i32: 1> : tile<i32>
    %6 = constant <i32: 0> : tile<i32>
    %7 = print_tko "%d %d", %5, %6 : tile<i32>, tile<i32> -> token
    %8 = constant <i32: 1> : tile<i32>
    %9 = print_tko "%d %d", %5, %8 : tile<i32>, tile<i32> -> token
    return
  }
}
// rewrites:
//   10 unroll
//    9 unroll
