// test: parse
// `subi`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = subi %i, %i : tile<4xi32>
    %no_signed_wrap = subi %i, %i overflow<no_signed_wrap> : tile<4xi32>
    %no_unsigned_wrap = subi %i, %i overflow<no_unsigned_wrap> : tile<4xi32>
    %no_wrap = subi %i, %i overflow<no_wrap> : tile<4xi32>
    return
  }
}
