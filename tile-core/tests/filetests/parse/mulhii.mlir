// test: parse
// `mulhii`: every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = mulhii %t, %t : tile<i1>
    %r1 = mulhii %c, %c : tile<i8>
    %r2 = mulhii %s, %s : tile<i16>
    %r3 = mulhii %i, %i : tile<i32>
    %r4 = mulhii %l, %l : tile<i64>
    %r5 = mulhii %m, %m : tile<2x4xi32>
    return
  }
}
