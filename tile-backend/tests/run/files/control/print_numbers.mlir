// test: run
// arg: i1 = 1
// arg: i8 = -100
// arg: i16 = -30000
// arg: i32 = -2000000000
// arg: i64 = -9000000000000000000
// Integers of every width, positive and negative, in every conversion and with lengths that say less.
cuda_tile.module @kernels {
  entry @test(%a: tile<i1>, %b: tile<i8>, %c: tile<i16>, %d: tile<i32>, %e: tile<i64>) {
    %p0 = print_tko "d %d | %d | %d | %d | %d\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p1 = print_tko "i %i | %i | %i | %i | %i\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p2 = print_tko "u %u | %u | %u | %u | %u\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p3 = print_tko "x %x | %x | %x | %x | %x\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p4 = print_tko "X %#X | %#X | %#X | %#X | %#X\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p5 = print_tko "o %o | %o | %o | %o | %o\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p6 = print_tko "hhd %hhd | %hhd | %hhd | %hhd | %hhd\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p7 = print_tko "hx %hx | %hx | %hx | %hx | %hx\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p8 = print_tko "hu %hu | %hu | %hu | %hu | %hu\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p9 = print_tko "lld %lld | %lld | %lld | %lld | %lld\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p10 = print_tko "zu %zu | %zu | %zu | %zu | %zu\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p11 = print_tko "wide %+12d | %+12d | %+12d | %+12d | %+12d\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p12 = print_tko "left %-12d | %-12d | %-12d | %-12d | %-12d\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p13 = print_tko "zeros %012x | %012x | %012x | %012x | %012x\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p14 = print_tko "precise %.5d | %.5d | %.5d | %.5d | %.5d\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    %p15 = print_tko "space % d | % d | % d | % d | % d\0A", %a, %b, %c, %d, %e : tile<i1>, tile<i8>, tile<i16>, tile<i32>, tile<i64> -> token
    return
  }
}
