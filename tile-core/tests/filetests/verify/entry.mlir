// test: verify --allow-testing
// Parameters of entries and functions, and what they return.

cuda_tile.module @m {
  entry @empty() {
  }
  entry @ranked(%a: tile<4xi32>, %b: tile<2xptr<f32>>, %c: tile<i32>) { // error[T0304]: expected a rank-0 tile, found `tile<4xi32>`
// error[T0304]: expected a rank-0 tile, found `tile<2xptr<f32>>`
    return
  }
  entry @views(%t: token, %v: tensor_view<4xf32, strides=[1]>) {
    return
  }
  entry @returns(%a: tile<i32>) {
    return %a : tile<i32> // error[T0301]: expected operands (), found (tile<i32>)
  }
  testing$func @ranks(%a: tile<4xi32>) {
    return
  }
  testing$func @swap(%a: tile<4xi32>, %b: tile<f32>) -> (tile<f32>, tile<4xi32>) {
    %c = constant <i1: true> : tile<i1>
    if %c {
      return %a, %b : tile<4xi32>, tile<f32> // error[T0301]: expected operands (tile<f32>, tile<4xi32>), found (tile<4xi32>, tile<f32>)
    } else {
      return %b : tile<f32> // error[T0301]: expected operands (tile<f32>, tile<4xi32>), found (tile<f32>)
    }
    return %b, %a : tile<f32>, tile<4xi32>
  }
  testing$func @nothing(%a: tile<i32>) -> tile<i32> {
    return // error[T0301]: expected operands (tile<i32>), found ()
  }
  testing$func @something(%a: tile<i32>) {
    return %a : tile<i32> // error[T0301]: expected operands (), found (tile<i32>)
  }
}
