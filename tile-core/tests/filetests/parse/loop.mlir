// test: parse
// `loop`: carried values, results, both and neither; a `continue` without operands is
// not written.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>, %f: tile<f32>) {
    loop {
      if %c {
        break
      }
    }
    %r = loop : tile<f32> {
      break %f : tile<f32>
    }
    loop iter_values(%i = %n) : tile<i32> {
      if %c {
        break
      }
      continue %i : tile<i32>
    }
    %s, %t = loop iter_values(%i = %n) : tile<i32> -> tile<f32>, tile<i32> {
      break %f, %i : tile<f32>, tile<i32>
    }
    %u = loop iter_values(%i = %n, %g = %f) : tile<i32>, tile<f32> -> tile<f32> {
      if %c {
        continue %i, %g : tile<i32>, tile<f32>
      }
      break %g : tile<f32>
    }
    return
  }
}
