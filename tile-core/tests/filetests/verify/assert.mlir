// test: verify
// A condition of i1, of any shape.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i1_s = constant <i1: true> : tile<i1>
    %i1_2x4 = constant <i1: true> : tile<2x4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_i1 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i1>>
    %t = make_token : token
    assert %i1, "m" : tile<4xi1>
    assert %i1_s, "m" : tile<i1>
    assert %i1_2x4, "m" : tile<2x4xi1>
    assert %i8, "m" : tile<4xi8> // error[T0301]: expected `condition` to be a tile of i1, found `tile<4xi8>`
    assert %f32, "m" : tile<4xf32> // error[T0301]: expected `condition` to be a tile of i1, found `tile<4xf32>`
    assert %p_i1, "m" : tile<4xptr<i1>> // error[T0301]: expected `condition` to be a tile of i1, found `tile<4xptr<i1>>`
    assert %t, "m" : token // error[T0301]: expected `condition` to be a tile of i1, found `token`
    return
  }
}
