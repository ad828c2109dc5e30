// test: parse
// Values without a name are numbered in order, per entry; a name that is
// visible already is not used again.

cuda_tile.module @m {
  entry @a(%arg0: tile<i32>) {
    %0 = addi %arg0, %arg0 : tile<i32>
    for %i in (%0 to %0, step %0) : tile<i32> {
      %1 = addi %0, %i : tile<i32>
    }
    for %i in (%0 to %0, step %0) : tile<i32> {
      %2 = addi %0, %i : tile<i32>
    }
    return
  }
  entry @b() {
    %0 = make_token : token
    return
  }
}
