// test: verify
// Carried values of loops.

cuda_tile.module @m {
  entry @k(%o: tile<i64>, %v: tensor_view<f32>) {
    %i = constant <i32: 7> : tile<4xi32>
    %j = constant <i32: 7> : tile<8xi32>
    %l = constant <i64: 7> : tile<4xi64>
    %f = constant <f32: 1.5> : tile<4xf32>
    %g = constant <f64: 1.5> : tile<4xf64>
    %h = constant <f16: 1.5> : tile<4xf16>
    %s = constant <i32: 7> : tile<i32>
    %c = constant <i1: true> : tile<i1>
    %w = constant <f32: 0.0> : tile<f32>
    %r0 = for %q in (%s to %s, step %s) : tile<i32> iter_values(%x = %w) -> (tile<i32>) { // error[T0303]: expected results (tile<f32>), found (tile<i32>)
      continue %x : tile<i32>
    }
    %r1 = for %q in (%s to %s, step %s) : tile<i32> iter_values(%x = %s) -> (tile<i32>) {
      continue %w : tile<f32> // error[T0301]: expected operands (tile<i32>), found (tile<f32>)
    }
    %r2 = for %q in (%s to %s, step %s) : tile<i32> iter_values(%x = %s) -> (tile<i32>) {
    } // error[T0301]: expected operands (tile<i32>), found ()
    for %q in (%s to %s, step %o) : tile<i32> { // error[T0301]: expected `step` of type `tile<i32>`, found `tile<i64>`
    }
    %r3 = for %q in (%s to %s, step %s) : tile<i32> iter_values(%x = %v) -> (tensor_view<f32>) { // error[T0303]: `for` carries `tensor_view<f32>`
      continue %x : tensor_view<f32>
    }
    %r4 = for %q in (%s to %s, step %s) : tile<i32> iter_values(%x = %s) -> (tile<i32>) {
      if %c {
        continue // error[T0301]: expected operands (tile<i32>), found ()
      }
      continue %x : tile<i32>
    }
    return
  }
}
