// test: parse
// `cmpi`: every predicate and signedness, every type, rank 0 and 2.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = cmpi equal %i, %i, signed : tile<i32> -> tile<i1>
    %r1 = cmpi equal %i, %i, unsigned : tile<i32> -> tile<i1>
    %r2 = cmpi not_equal %i, %i, signed : tile<i32> -> tile<i1>
    %r3 = cmpi not_equal %i, %i, unsigned : tile<i32> -> tile<i1>
    %r4 = cmpi less_than %i, %i, signed : tile<i32> -> tile<i1>
    %r5 = cmpi less_than %i, %i, unsigned : tile<i32> -> tile<i1>
    %r6 = cmpi less_than_or_equal %i, %i, signed : tile<i32> -> tile<i1>
    %r7 = cmpi less_than_or_equal %i, %i, unsigned : tile<i32> -> tile<i1>
    %r8 = cmpi greater_than %i, %i, signed : tile<i32> -> tile<i1>
    %r9 = cmpi greater_than %i, %i, unsigned : tile<i32> -> tile<i1>
    %r10 = cmpi greater_than_or_equal %i, %i, signed : tile<i32> -> tile<i1>
    %r11 = cmpi greater_than_or_equal %i, %i, unsigned : tile<i32> -> tile<i1>
    %r12 = cmpi equal %t, %t, signed : tile<i1> -> tile<i1>
    %r13 = cmpi equal %c, %c, signed : tile<i8> -> tile<i1>
    %r14 = cmpi equal %s, %s, signed : tile<i16> -> tile<i1>
    %r15 = cmpi equal %i, %i, signed : tile<i32> -> tile<i1>
    %r16 = cmpi equal %l, %l, signed : tile<i64> -> tile<i1>
    %r17 = cmpi less_than %m, %m, unsigned : tile<2x4xi32> -> tile<2x4xi1>
    return
  }
}
