// test: parse
// `unpack`: every type that is not of eight bits.

cuda_tile.module @m {
  entry @k() {
    %i = iota : tile<64xi8>
    %r0 = unpack %i : tile<64xi8> -> tile<512xi1>
    %r1 = unpack %i : tile<64xi8> -> tile<128xi4>
    %r2 = unpack %i : tile<64xi8> -> tile<32xi16>
    %r3 = unpack %i : tile<64xi8> -> tile<16xi32>
    %r4 = unpack %i : tile<64xi8> -> tile<8xi64>
    %r5 = unpack %i : tile<64xi8> -> tile<32xf16>
    %r6 = unpack %i : tile<64xi8> -> tile<32xbf16>
    %r7 = unpack %i : tile<64xi8> -> tile<16xf32>
    %r8 = unpack %i : tile<64xi8> -> tile<8xf64>
    %r9 = unpack %i : tile<64xi8> -> tile<128xf4E2M1FN>
    return
  }
}
