// test: parse
// `exti`, from i4 too.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = exti %i signed : tile<4xi32> -> tile<4xi64>
    %n = trunci %i : tile<4xi32> -> tile<4xi4>
    %u = exti %n unsigned : tile<4xi4> -> tile<4xi8>
    return
  }
}
