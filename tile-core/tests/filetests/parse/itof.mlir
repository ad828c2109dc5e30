// test: parse
// `itof`: from every integer, to every float but the scale.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    %m = constant <i32: 7> : tile<2x4xi32>
    %r0 = itof %m signed : tile<2x4xi32> -> tile<2x4xf16>
    %r1 = itof %m signed : tile<2x4xi32> -> tile<2x4xbf16>
    %r2 = itof %m signed : tile<2x4xi32> -> tile<2x4xf32>
    %r3 = itof %m signed : tile<2x4xi32> -> tile<2x4xtf32>
    %r4 = itof %m signed : tile<2x4xi32> -> tile<2x4xf64>
    %r5 = itof %m signed : tile<2x4xi32> -> tile<2x4xf8E4M3FN>
    %r6 = itof %m signed : tile<2x4xi32> -> tile<2x4xf8E5M2>
    %r7 = itof %m signed : tile<2x4xi32> -> tile<2x4xf4E2M1FN>
    %r8 = itof %t unsigned : tile<i1> -> tile<f64>
    %r9 = itof %c unsigned : tile<i8> -> tile<f64>
    %r10 = itof %s unsigned : tile<i16> -> tile<f64>
    %r11 = itof %i unsigned : tile<i32> -> tile<f64>
    %r12 = itof %l unsigned : tile<i64> -> tile<f64>
    return
  }
}
