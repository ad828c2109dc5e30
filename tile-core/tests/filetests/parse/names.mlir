// test: parse
// What tileirdisasm 13.4 writes: names with a dash in them, and `fpowf`.

entry @k(%n: tile<i32>) {
  %cst_-1_i8 = constant <i8: -1> : tile<i8>
  %0 = exti %cst_-1_i8 signed : tile<i8> -> tile<i32>
  %f$.x = constant <f32: 1.0> : tile<f32>
  %p = fpowf %f$.x, %f$.x : tile<f32>
  %a, %b, %c = get_tile_block_id : tile<i32>
}
// output:
cuda_tile.module @kernels {
  entry @k(%n: tile<i32>) {
    %cst_-1_i8 = constant <i8: -1> : tile<i8>
    %0 = exti %cst_-1_i8 signed : tile<i8> -> tile<i32>
    %f$.x = constant <f32: 1.000000e+00> : tile<f32>
    %p = pow %f$.x, %f$.x : tile<f32>
    %a, %b, %c = get_tile_block_id : tile<i32>
    return
  }
}
