// test: parse --allow-testing
// `testing$func` with prefixes, and results in another form.

cuda_tile.testing$func @one(%a: !cuda_tile.tile<4xf32>) -> (!cuda_tile.tile<4xf32>) {
  cuda_tile.return %a : !cuda_tile.tile<4xf32>
}
testing$func @none() -> () {
}
// output:
cuda_tile.module @kernels {
  testing$func @one(%a: tile<4xf32>) -> tile<4xf32> {
    return %a : tile<4xf32>
  }
  testing$func @none() {
    return
  }
}
