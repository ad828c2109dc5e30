// test: parse
// `print_tko`: arguments and a token may be absent.

cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    %m = constant <i32: 3> : tile<2x4xi32>
    %t0 = print_tko "nothing\0A" -> token
    %t1 = print_tko "%f", %x : tile<f32> -> token
    %t2 = print_tko "%d of %f", %m, %x : tile<2x4xi32>, tile<f32> -> token
    %t3 = print_tko "%d 100%%", %m token=%t2 : tile<2x4xi32> -> token
    %t4 = print_tko "end" token=%t3 -> token
    return
  }
}
