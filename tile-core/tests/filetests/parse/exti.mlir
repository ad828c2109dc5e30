// test: parse
// `exti`: from and to every integer, i4 too.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %n = trunci %c : tile<i8> -> tile<i4>
    %r0 = exti %n signed : tile<i4> -> tile<i8>
    %r1 = exti %t unsigned : tile<i1> -> tile<i4>
    %r2 = exti %c signed : tile<i8> -> tile<i16>
    %r3 = exti %s unsigned : tile<i16> -> tile<i32>
    %r4 = exti %i signed : tile<i32> -> tile<i64>
    %m = constant <i8: -7> : tile<2x4xi8>
    %r5 = exti %m unsigned : tile<2x4xi8> -> tile<2x4xi64>
    return
  }
}
