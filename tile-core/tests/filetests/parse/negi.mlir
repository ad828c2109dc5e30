// test: parse
// `negi`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = negi %i : tile<4xi32>
    %s = negi %i overflow<no_signed_wrap> : tile<4xi32>
    return
  }
}
