// test: parse --allow-testing
// `testing$func`: like an entry, but returns values.

cuda_tile.module @m {
  testing$func @none() {
    return
  }
  testing$func @one(%a: tile<4xf32>) -> tile<4xf32> {
    return %a : tile<4xf32>
  }
  testing$func @two(%a: tile<4xf32>, %b: token) -> (token, tile<4xf32>) {
    return %b, %a : token, tile<4xf32>
  }
  testing$func @hints(%a: tile<i1>) -> tile<i1> optimization_hints=<sm_90 = {occupancy = 2}> {
    return %a : tile<i1>
  }
}
