// test: run
// arg: f32 = 1.0
// error sm_80: `%d` cannot print an element of type `f32`
// error sm_89: `%d` cannot print an element of type `f32`
// error sm_90a: `%d` cannot print an element of type `f32`
// error sm_120a: `%d` cannot print an element of type `f32`
// A conversion that is not for its argument is refused, not printed wrong.
cuda_tile.module @kernels {
  entry @test(%a: tile<f32>) {
    %p = print_tko "%d\0A", %a : tile<f32> -> token
    return
  }
}
