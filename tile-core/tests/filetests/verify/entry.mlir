// test: verify
// Names and parameters of entries.

cuda_tile.module @m {
  entry @k() {
  }
  entry @k(%a: tile<4xi32>, %b: tile<2xptr<f32>>, %c: tile<i32>) { // error[T0304]: two symbols are named `k`
// error[T0304]: expected a rank-0 tile, found `tile<4xi32>`
// error[T0304]: expected a rank-0 tile, found `tile<2xptr<f32>>`
    return
  }
}
