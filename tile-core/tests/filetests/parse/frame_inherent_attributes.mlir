// test: parse
// An attribute of the row may be given in the dictionary too.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %f: tile<f32>) {
    %a = addi %n, %n {overflow = #cuda_tile.overflow<no_wrap>, foo} : tile<i32>
    %b = addf %f, %f {flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>} : tile<f32>
    %c = maxf %f, %f {propagate_nan = unit} : tile<f32>
  } {optimization_hints = #cuda_tile.optimization_hints<sm_90 = {occupancy = 2}>}
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %f: tile<f32>) optimization_hints=<sm_90 = {occupancy = 2}> {
    %a = addi %n, %n overflow<no_wrap> {foo} : tile<i32>
    %b = addf %f, %f rounding<zero> flush_to_zero : tile<f32>
    %c = maxf %f, %f propagate_nan : tile<f32>
    return
  }
}
