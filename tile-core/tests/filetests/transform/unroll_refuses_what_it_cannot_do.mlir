// test: opt --passes=unroll
// Iterations that end early, a factor that is none, all bodies of a loop with unknown
// bounds, too many operations, a group that is no number of the type. A `continue` of an
// inner loop does not end an iteration of the outer one. A factor of 1 asks for nothing.

cuda_tile.module @m {
  testing$func @f(%n: tile<i8>, %c: tile<i1>) {
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %hundred = constant <i8: 100> : tile<i8>
    for %i in (%zero to %n, step %one) : tile<i8> {
      if %c {
        continue
      }
      print_tko "a %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 2 : i32}
    for %i in (%zero to %n, step %one) : tile<i8> {
      print_tko "b %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = -1 : i32}
    for %i in (%zero to %n, step %one) : tile<i8> {
      print_tko "c %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = "often"}
    for %i in (%zero to %n, step %one) : tile<i8> {
      print_tko "d %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 0 : i32}
    for %i in (%zero to %n, step %one) : tile<i8> {
      print_tko "e %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 100000 : i32}
    for %i in (%zero to %n, step %hundred) : tile<i8> {
      print_tko "f %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 2 : i32}
    for %i in (%zero to %n, step %zero) : tile<i8> {
      print_tko "g %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 2 : i32}
    for %i in (%zero to %n, step %one) : tile<i8> {
      for %j in (%zero to %n, step %one) : tile<i8> {
        if %c {
          continue
        }
        print_tko "h %d", %j : tile<i8> -> token
      }
    } {cuda_tile.unroll = 2 : i32}
    for %i in (%zero to %n, step %one) : tile<i8> {
      print_tko "i %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 1 : i32}
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%n: tile<i8>, %c: tile<i1>) {
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %hundred = constant <i8: 100> : tile<i8>
    for %i in (%zero to %n, step %one) : tile<i8> {
      if %c {
        continue
      }
      %0 = print_tko "a %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 2 : i32}
    for %i in (%zero to %n, step %one) : tile<i8> {
      %1 = print_tko "b %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = -1 : i32}
    for %i in (%zero to %n, step %one) : tile<i8> {
      %2 = print_tko "c %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = "often"}
    for %i in (%zero to %n, step %one) : tile<i8> {
      %3 = print_tko "d %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 0 : i32}
    for %i in (%zero to %n, step %one) : tile<i8> {
      %4 = print_tko "e %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 100000 : i32}
    for %i in (%zero to %n, step %hundred) : tile<i8> {
      %5 = print_tko "f %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 2 : i32}
    for %i in (%zero to %n, step %zero) : tile<i8> {
      %6 = print_tko "g %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 2 : i32}
    %7 = maxi %n, %zero signed : tile<i8>
    %8 = subi %7, %zero : tile<i8>
    %9 = constant <i8: 2> : tile<i8>
    %10 = remi %8, %9 unsigned : tile<i8>
    %11 = subi %8, %10 : tile<i8>
    %12 = addi %zero, %11 : tile<i8>
    %13 = constant <i8: 2> : tile<i8>
    %14 = constant <i8: 1> : tile<i8>
    for %i in (%zero to %12, step %13) : tile<i8> {
      for %j in (%zero to %n, step %one) : tile<i8> {
        if %c {
          continue
        }
        %15 = print_tko "h %d", %j : tile<i8> -> token
      }
      %16 = addi %i, %14 : tile<i8>
      for %j in (%zero to %n, step %one) : tile<i8> {
        if %c {
          continue
        }
        %17 = print_tko "h %d", %j : tile<i8> -> token
      }
    }
    for %i in (%12 to %n, step %one) : tile<i8> {
      for %j in (%zero to %n, step %one) : tile<i8> {
        if %c {
          continue
        }
        %18 = print_tko "h %d", %j : tile<i8> -> token
      }
    }
    for %i in (%zero to %n, step %one) : tile<i8> {
      %19 = print_tko "i %d", %i : tile<i8> -> token
    } {cuda_tile.unroll = 1 : i32}
    return
  }
}
// rewrites:
//   35 unroll
//   32 unroll_refused_step
//   29 unroll_refused_step
//   26 unroll_refused_size
//   23 unroll_refused_bounds
//   20 unroll_refused_factor
//   17 unroll_refused_factor
//   11 unroll_refused_continue
