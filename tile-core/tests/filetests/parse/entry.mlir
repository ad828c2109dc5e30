// test: parse
// Hints, several entries, names that are not identifiers of Rust.

cuda_tile.module @m.x$1 attributes {producer = "tile\22\0A"} {
  entry @a(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {num_cta_in_cga = 2, occupancy = 1}> {
    return
  }
  entry @b() {
    return
  }
}
