// test: parse
// `get_global`: names a global, before or after.

cuda_tile.module @m {
  global @before <f32: 1.000000e+00> : tile<4xf32>
  entry @k() {
    %a = get_global @before : tile<ptr<f32>>
    %b = get_global @after.$1 : tile<ptr<i8>>
    return
  }
  global @after.$1 <i8: 1> : tile<4xi8>
}
