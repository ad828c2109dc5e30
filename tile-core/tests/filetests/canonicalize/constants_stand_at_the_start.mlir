// test: opt --passes=canonicalize
// One of each constant, at the start of its function; another type or other bits are another constant.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>) -> (tile<i32>, tile<f32>) {
    %x = addi %a, %a : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<f32>
    %minus = constant <f32: -0.0> : tile<f32>
    %r, %s = if %c -> (tile<i32>, tile<f32>) {
      %again = constant <i32: 1> : tile<i32>
      %y = addi %x, %again : tile<i32>
      %f = subf %zero, %minus : tile<f32>
      yield %y, %f : tile<i32>, tile<f32>
    } else {
      %two = constant <i32: 2> : tile<i32>
      %y = muli %two, %one : tile<i32>
      %f = subf %minus, %zero : tile<f32>
      yield %y, %f : tile<i32>, tile<f32>
    }
    return %r, %s : tile<i32>, tile<f32>
  }
  testing$func @its_own() -> tile<i32> {
    %one = constant <i32: 1> : tile<i32>
    return %one : tile<i32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>) -> (tile<i32>, tile<f32>) {
    %two = constant <i32: 2> : tile<i32>
    %minus = constant <f32: -0.000000e+00> : tile<f32>
    %zero = constant <f32: 0.000000e+00> : tile<f32>
    %one = constant <i32: 1> : tile<i32>
    %x = addi %a, %a : tile<i32>
    %r, %s = if %c -> (tile<i32>, tile<f32>) {
      %y = addi %x, %one : tile<i32>
      %f = subf %zero, %minus : tile<f32>
      yield %y, %f : tile<i32>, tile<f32>
    } else {
      %y = muli %two, %one : tile<i32>
      %f = subf %minus, %zero : tile<f32>
      yield %y, %f : tile<i32>, tile<f32>
    }
    return %r, %s : tile<i32>, tile<f32>
  }
  testing$func @its_own() -> tile<i32> {
    %one = constant <i32: 1> : tile<i32>
    return %one : tile<i32>
  }
}
// rewrites:
//   11 constant_merge
//   16 constant_hoist
