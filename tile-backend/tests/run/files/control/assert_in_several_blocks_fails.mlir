// test: run
// warps: 2
// grid: 4 1 1
// arg: i32 = 70
// Several blocks fail; one of them reports.
cuda_tile.module @kernels {
  entry @test(%n: tile<i32>) {
    %counts = iota : tile<128xi32>
    %r = reshape %n : tile<i32> -> tile<1xi32>
    %t = broadcast %r : tile<1xi32> -> tile<128xi32>
    %c = cmpi less_than %counts, %t, signed : tile<128xi32> -> tile<128xi1>
    assert %c, "below n" : tile<128xi1>
    return
  }
}
