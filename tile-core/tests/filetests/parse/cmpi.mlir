// test: parse
// `cmpi`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %c0 = cmpi equal %i, %i, signed : tile<4xi32> -> tile<4xi1>
    %c1 = cmpi less_than %i, %i, unsigned : tile<4xi32> -> tile<4xi1>
    return
  }
}
