// test: parse
// `addi`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = addi %t, %t : tile<i1>
    %r1 = addi %c, %c : tile<i8>
    %r2 = addi %s, %s : tile<i16>
    %r3 = addi %i, %i : tile<i32>
    %r4 = addi %l, %l : tile<i64>
    %r5 = addi %m, %m : tile<2x4xi32>
    %r6 = addi %i, %i overflow<no_signed_wrap> : tile<i32>
    %r7 = addi %m, %m overflow<no_signed_wrap> : tile<2x4xi32>
    %r8 = addi %i, %i overflow<no_unsigned_wrap> : tile<i32>
    %r9 = addi %m, %m overflow<no_unsigned_wrap> : tile<2x4xi32>
    %r10 = addi %i, %i overflow<no_wrap> : tile<i32>
    %r11 = addi %m, %m overflow<no_wrap> : tile<2x4xi32>
    return
  }
}
