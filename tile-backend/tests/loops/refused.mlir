// level: avx2
// What has no native code is named.
cuda_tile.module @m {
  entry @prints(%x: tile<f32>) {
    print_tko "x = %f", %x : tile<f32> -> token
    return
  }
}
// ---
// refused: `print_tko`: there is no native code for it yet
