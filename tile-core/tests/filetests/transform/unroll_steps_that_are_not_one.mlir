// test: opt --passes=unroll
// A step of 3, where the last iteration of a group may go past the end, and one that is not
// known, where a group may be no number of the type.

cuda_tile.module @m {
  testing$func @f(%low: tile<i16>, %n: tile<i16>, %s: tile<i16>) {
    %three = constant <i16: 3> : tile<i16>
    for %i in (%low to %n, step %three) : tile<i16> {
      print_tko "%d", %i : tile<i16> -> token
    } {cuda_tile.unroll = 2 : i32}
    for unsigned %i in (%low to %n, step %s) : tile<i16> {
      print_tko "%d", %i : tile<i16> -> token
    } {cuda_tile.unroll = 4 : i32}
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%low: tile<i16>, %n: tile<i16>, %s: tile<i16>) {
    %three = constant <i16: 3> : tile<i16>
    %0 = maxi %n, %low signed : tile<i16>
    %1 = subi %0, %low : tile<i16>
    %2 = divi %1, %three unsigned rounding<positive_inf> : tile<i16>
    %3 = constant <i16: 2> : tile<i16>
    %4 = remi %2, %3 unsigned : tile<i16>
    %5 = subi %2, %4 : tile<i16>
    %6 = muli %5, %three : tile<i16>
    %7 = cmpi equal %5, %2, unsigned : tile<i16> -> tile<i1>
    %8 = select %7, %1, %6 : tile<i1>, tile<i16>
    %9 = addi %low, %8 : tile<i16>
    %10 = constant <i16: 6> : tile<i16>
    %11 = constant <i16: 3> : tile<i16>
    for %i in (%low to %9, step %10) : tile<i16> {
      %12 = print_tko "%d", %i : tile<i16> -> token
      %13 = addi %i, %11 : tile<i16>
      %14 = print_tko "%d", %13 : tile<i16> -> token
    }
    for %i in (%9 to %n, step %three) : tile<i16> {
      %15 = print_tko "%d", %i : tile<i16> -> token
    }
    %16 = constant <i16: 16383> : tile<i16>
    %17 = cmpi less_than_or_equal %s, %16, unsigned : tile<i16> -> tile<i1>
    %18 = maxi %n, %low unsigned : tile<i16>
    %19 = subi %18, %low : tile<i16>
    %20 = divi %19, %s unsigned rounding<positive_inf> : tile<i16>
    %21 = constant <i16: 4> : tile<i16>
    %22 = remi %20, %21 unsigned : tile<i16>
    %23 = subi %20, %22 : tile<i16>
    %24 = constant <i16: 0> : tile<i16>
    %25 = select %17, %23, %24 : tile<i1>, tile<i16>
    %26 = muli %25, %s : tile<i16>
    %27 = cmpi equal %25, %20, unsigned : tile<i16> -> tile<i1>
    %28 = select %27, %19, %26 : tile<i1>, tile<i16>
    %29 = addi %low, %28 : tile<i16>
    %30 = constant <i16: 4> : tile<i16>
    %31 = muli %s, %30 : tile<i16>
    %32 = select %17, %31, %s : tile<i1>, tile<i16>
    %33 = addi %s, %s : tile<i16>
    %34 = addi %33, %s : tile<i16>
    for unsigned %i in (%low to %29, step %32) : tile<i16> {
      %35 = print_tko "%d", %i : tile<i16> -> token
      %36 = addi %i, %s : tile<i16>
      %37 = print_tko "%d", %36 : tile<i16> -> token
      %38 = addi %i, %33 : tile<i16>
      %39 = print_tko "%d", %38 : tile<i16> -> token
      %40 = addi %i, %34 : tile<i16>
      %41 = print_tko "%d", %40 : tile<i16> -> token
    }
    for unsigned %i in (%29 to %n, step %s) : tile<i16> {
      %42 = print_tko "%d", %i : tile<i16> -> token
    }
    return
  }
}
// rewrites:
//   11 unroll
//    8 unroll
