// test: parse
// `shli`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = shli %i, %i : tile<4xi32>
    %no_signed_wrap = shli %i, %i overflow<no_signed_wrap> : tile<4xi32>
    %no_unsigned_wrap = shli %i, %i overflow<no_unsigned_wrap> : tile<4xi32>
    %no_wrap = shli %i, %i overflow<no_wrap> : tile<4xi32>
    return
  }
}
