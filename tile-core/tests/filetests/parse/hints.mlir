// test: parse
// Hints that no compiler knows are kept: every kind of value. A number of another type than i64 and f64 states its type.

cuda_tile.module @m {
  entry @k() optimization_hints=<default = {}, sm_90 = {a = 1, b = true, c = -7 : i32, d = 1.500000e+00, e = 9.997550e-02 : f16, f = "two words", g = !cuda_tile.tile<4xptr<f32>>, h = i32, i = [1, 2 : i8, "z", [], false], j = {x = 1 : i64, y = {}}, "k l" = 0x7F800000 : f32, m.n$_1 = !cuda_tile.token}> {
    return
  }
}
