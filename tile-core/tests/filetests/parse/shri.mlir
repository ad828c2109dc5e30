// test: parse
// `shri`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = shri %t, %t signed : tile<i1>
    %r1 = shri %c, %c signed : tile<i8>
    %r2 = shri %s, %s signed : tile<i16>
    %r3 = shri %i, %i signed : tile<i32>
    %r4 = shri %l, %l signed : tile<i64>
    %r5 = shri %m, %m signed : tile<2x4xi32>
    %r6 = shri %i, %i unsigned : tile<i32>
    %r7 = shri %m, %m unsigned : tile<2x4xi32>
    return
  }
}
