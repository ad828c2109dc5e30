// test: verify
// Results of branches, and what may end one.

cuda_tile.module @m {
  entry @k(%v: tensor_view<f32>, %p: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
    %s = constant <i32: 7> : tile<i32>
    %f = constant <f32: 1.5> : tile<f32>
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
    %r4:3 = if %c -> (partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tensor_view<f32>, tensor_view<f32>) { // error[T0303]: `if` carries `partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>`
// error[T0303]: `if` carries `tensor_view<f32>`
      yield %p, %v, %v : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tensor_view<f32>, tensor_view<f32>
    } else {
      yield %p, %v, %v : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tensor_view<f32>, tensor_view<f32>
    }
    %r5:2 = if %c -> (tile<i32>, tile<f32>) {
      yield %f, %s : tile<f32>, tile<i32> // error[T0301]: expected operands (tile<i32>, tile<f32>), found (tile<f32>, tile<i32>)
    } else {
      yield %s : tile<i32> // error[T0301]: expected operands (tile<i32>, tile<f32>), found (tile<i32>)
    }
    if %c {
      yield %s : tile<i32> // error[T0301]: expected operands (), found (tile<i32>)
    }
    if %c {
      return %s : tile<i32> // error[T0301]: expected operands (), found (tile<i32>)
    }
    %r6 = loop : tile<i32> {
      %r7 = if %c -> (tile<f32>) {
        break %s : tile<i32>
      } else {
        if %c {
          continue
        } else {
        }
        yield %f : tile<f32>
      }
      break %s : tile<i32>
    }
    return
  }
}
