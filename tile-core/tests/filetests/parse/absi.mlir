// test: parse
// `absi`: every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = absi %t : tile<i1>
    %r1 = absi %c : tile<i8>
    %r2 = absi %s : tile<i16>
    %r3 = absi %i : tile<i32>
    %r4 = absi %l : tile<i64>
    %r5 = absi %m : tile<2x4xi32>
    return
  }
}
