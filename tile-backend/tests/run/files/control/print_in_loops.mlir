// test: run
// warps: 2
// arg: i32 = 5
// Printing in loops and branches, in program order.
cuda_tile.module @kernels {
  entry @test(%n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %bit = andi %i, %one : tile<i32>
      %odd = cmpi equal %bit, %one, signed : tile<i32> -> tile<i1>
      if %odd {
        %p = print_tko "%d is odd\0A", %i : tile<i32> -> token
        continue
      }
      %c = iota : tile<32xi32>
      %r = reshape %i : tile<i32> -> tile<1xi32>
      %t = broadcast %r : tile<1xi32> -> tile<32xi32>
      %s = muli %c, %t : tile<32xi32>
      %p = print_tko "%d: %d\0A", %i, %s : tile<i32>, tile<32xi32> -> token
    }
    return
  }
}
