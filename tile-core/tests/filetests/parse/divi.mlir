// test: parse
// `divi`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %r = divi %i, %i signed : tile<4xi32>
    %u = divi %i, %i unsigned rounding<positive_inf> : tile<4xi32>
    %n = divi %i, %i signed rounding<negative_inf> : tile<4xi32>
    return
  }
}
