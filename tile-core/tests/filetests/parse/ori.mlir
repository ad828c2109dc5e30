// test: parse
// `ori`: every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = ori %t, %t : tile<i1>
    %r1 = ori %c, %c : tile<i8>
    %r2 = ori %s, %s : tile<i16>
    %r3 = ori %i, %i : tile<i32>
    %r4 = ori %l, %l : tile<i64>
    %r5 = ori %m, %m : tile<2x4xi32>
    return
  }
}
