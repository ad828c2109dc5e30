// test: parse
// `negi`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = negi %t : tile<i1>
    %r1 = negi %c : tile<i8>
    %r2 = negi %s : tile<i16>
    %r3 = negi %i : tile<i32>
    %r4 = negi %l : tile<i64>
    %r5 = negi %m : tile<2x4xi32>
    %r6 = negi %i overflow<no_signed_wrap> : tile<i32>
    %r7 = negi %m overflow<no_signed_wrap> : tile<2x4xi32>
    %r8 = negi %i overflow<no_wrap> : tile<i32>
    %r9 = negi %m overflow<no_wrap> : tile<2x4xi32>
    return
  }
}
