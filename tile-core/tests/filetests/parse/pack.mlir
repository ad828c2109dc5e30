// test: parse
// `pack`: every type that is not of eight bits.

cuda_tile.module @m {
  entry @k() {
    %a0 = constant <i1: true> : tile<16xi1>
    %r0 = pack %a0 : tile<16xi1> -> tile<2xi8>
    %a1 = constant <i16: 1> : tile<16xi16>
    %r1 = pack %a1 : tile<16xi16> -> tile<32xi8>
    %a2 = constant <i32: 1> : tile<16xi32>
    %r2 = pack %a2 : tile<16xi32> -> tile<64xi8>
    %a3 = constant <i64: 1> : tile<16xi64>
    %r3 = pack %a3 : tile<16xi64> -> tile<128xi8>
    %a4 = constant <f16: 1.000000e+00> : tile<16xf16>
    %r4 = pack %a4 : tile<16xf16> -> tile<32xi8>
    %a5 = constant <bf16: 1.000000e+00> : tile<16xbf16>
    %r5 = pack %a5 : tile<16xbf16> -> tile<32xi8>
    %a6 = constant <f32: 1.000000e+00> : tile<16xf32>
    %r6 = pack %a6 : tile<16xf32> -> tile<64xi8>
    %a7 = constant <f64: 1.000000e+00> : tile<16xf64>
    %r7 = pack %a7 : tile<16xf64> -> tile<128xi8>
    %a8 = constant <f4E2M1FN: 1.000000e+00> : tile<16xf4E2M1FN>
    %r8 = pack %a8 : tile<16xf4E2M1FN> -> tile<8xi8>
    %i = iota : tile<16xi8>
    %n = trunci %i : tile<16xi8> -> tile<16xi4>
    %r = pack %n : tile<16xi4> -> tile<8xi8>
    return
  }
}
