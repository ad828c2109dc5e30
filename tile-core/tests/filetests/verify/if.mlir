// test: verify
// Results of branches.

cuda_tile.module @m {
  entry @k(%v: tensor_view<f32>) {
    %i = constant <i32: 7> : tile<4xi32>
    %j = constant <i32: 7> : tile<8xi32>
    %l = constant <i64: 7> : tile<4xi64>
    %f = constant <f32: 1.5> : tile<4xf32>
    %g = constant <f64: 1.5> : tile<4xf64>
    %h = constant <f16: 1.5> : tile<4xf16>
    %s = constant <i32: 7> : tile<i32>
    %c = constant <i1: true> : tile<i1>
    %r0 = if %c -> (tile<i32>) { // error[T0304]: an `if` with results has no `else`
      yield %s : tile<i32>
    }
    %r1 = if %c -> (tile<i32>) {
      yield %s : tile<i32>
    } else {
      yield %c : tile<i1> // error[T0301]: expected operands (tile<i32>), found (tile<i1>)
    }
    %r2 = if %c -> (tile<i32>) {
      yield %s : tile<i32>
    } else {
      return
    }
    %r3 = if %c -> (tensor_view<f32>) { // error[T0303]: `if` carries `tensor_view<f32>`
      yield %v : tensor_view<f32>
    } else {
      yield %v : tensor_view<f32>
    }
    if %c {
      yield %s : tile<i32> // error[T0301]: expected operands (), found (tile<i32>)
    }
    if %c {
      return %s : tile<i32> // error[T0301]: expected operands (), found (tile<i32>)
    }
    return
  }
}
