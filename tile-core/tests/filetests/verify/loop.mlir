// test: verify
// Loops that `break` ends: what is carried, and what comes out.

cuda_tile.module @m {
  entry @k(%v: tensor_view<f32>) {
    %i = constant <i32: 7> : tile<i32>
    %f = constant <f32: 1.5> : tile<f32>
    %c = constant <i1: true> : tile<i1>
    loop {
      break
    }
    loop {
      continue
    }
    %r0 = loop iter_values(%x = %i) : tile<i32> -> tile<f32> {
      if %c {
        continue %x : tile<i32>
      }
      break %f : tile<f32>
    }
    %r1 = loop iter_values(%x = %i) : tile<i32> -> tile<f32> {
      if %c {
        continue %f : tile<f32> // error[T0301]: expected operands (tile<i32>), found (tile<f32>)
      } else {
        if %c {
          break %i : tile<i32> // error[T0301]: expected operands (tile<f32>), found (tile<i32>)
        }
      }
      break // error[T0301]: expected operands (tile<f32>), found ()
    }
    %r2:2 = loop iter_values(%x = %i, %y = %f) : tile<i32>, tile<f32> -> tile<f32>, tile<i32> {
      if %c {
        break %y, %x : tile<f32>, tile<i32>
      }
      if %c {
        break %x, %y : tile<i32>, tile<f32> // error[T0301]: expected operands (tile<f32>, tile<i32>), found (tile<i32>, tile<f32>)
      }
      if %c {
        continue %y, %x : tile<f32>, tile<i32> // error[T0301]: expected operands (tile<i32>, tile<f32>), found (tile<f32>, tile<i32>)
      }
      if %c {
        continue %x : tile<i32> // error[T0301]: expected operands (tile<i32>, tile<f32>), found (tile<i32>)
      }
      continue %x, %y : tile<i32>, tile<f32>
    }
    %r3 = loop iter_values(%x = %v) : tensor_view<f32> -> tile<i32> { // error[T0303]: `loop` carries `tensor_view<f32>`
      break %i : tile<i32>
    }
    %r4 = loop : tensor_view<f32> { // error[T0303]: `loop` carries `tensor_view<f32>`
      break %v : tensor_view<f32>
    }
    %r5 = loop iter_values(%x = %v) : tensor_view<f32> -> tensor_view<f32> { // error[T0303]: `loop` carries `tensor_view<f32>`
      break %v : tensor_view<f32>
    }
    for %q in (%i to %i, step %i) : tile<i32> {
      break // error[T0304]: `break` is inside `for`
    }
    for %q in (%i to %i, step %i) : tile<i32> {
      if %c {
        break // error[T0304]: `break` inside `for`
      }
    }
    loop {
      for %q in (%i to %i, step %i) : tile<i32> {
        if %c {
          if %c {
            break // error[T0304]: `break` inside `for`
          }
        }
      }
      break
    }
    loop {
      yield // error[T0304]: `yield` is inside `loop`
    }
    loop {
      return // error[T0304]: `return` is inside `loop`
    }
    loop {
      if %c {
        return // error[T0304]: `return` inside `loop`
      }
      break
    }
    if %c {
      break // error[T0304]: `break` inside `entry`
    }
    break // error[T0304]: `break` is inside `entry`
  }
}
