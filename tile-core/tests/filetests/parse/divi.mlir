// test: parse
// `divi`: every type, rank 0 and 2, every modifier.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = divi %t, %t signed : tile<i1>
    %r1 = divi %c, %c signed : tile<i8>
    %r2 = divi %s, %s signed : tile<i16>
    %r3 = divi %i, %i signed : tile<i32>
    %r4 = divi %l, %l signed : tile<i64>
    %r5 = divi %m, %m signed : tile<2x4xi32>
    %r6 = divi %i, %i unsigned : tile<i32>
    %r7 = divi %m, %m unsigned : tile<2x4xi32>
    %r8 = divi %i, %i signed rounding<negative_inf> : tile<i32>
    %r9 = divi %m, %m signed rounding<negative_inf> : tile<2x4xi32>
    %r10 = divi %i, %i signed rounding<positive_inf> : tile<i32>
    %r11 = divi %m, %m signed rounding<positive_inf> : tile<2x4xi32>
    %r12 = divi %i, %i unsigned rounding<positive_inf> : tile<i32>
    %r13 = divi %m, %m unsigned rounding<positive_inf> : tile<2x4xi32>
    return
  }
}
