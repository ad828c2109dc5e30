// test: parse
// `xori`: every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = xori %t, %t : tile<i1>
    %r1 = xori %c, %c : tile<i8>
    %r2 = xori %s, %s : tile<i16>
    %r3 = xori %i, %i : tile<i32>
    %r4 = xori %l, %l : tile<i64>
    %r5 = xori %m, %m : tile<2x4xi32>
    return
  }
}
