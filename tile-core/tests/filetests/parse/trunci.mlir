// test: parse
// `trunci`: from and to every integer, i4 too, every modifier.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %r0 = trunci %l : tile<i64> -> tile<i32>
    %r1 = trunci %i overflow<no_signed_wrap> : tile<i32> -> tile<i16>
    %r2 = trunci %s overflow<no_unsigned_wrap> : tile<i16> -> tile<i8>
    %r3 = trunci %c overflow<no_wrap> : tile<i8> -> tile<i4>
    %r4 = trunci %r3 : tile<i4> -> tile<i1>
    %m = constant <i64: -7> : tile<2x4xi64>
    %r5 = trunci %m overflow<no_wrap> : tile<2x4xi64> -> tile<2x4xi1>
    return
  }
}
