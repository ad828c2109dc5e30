// test: parse
// `loop.if`: with and without `else`, with results, with nothing but a yield.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>) {
    loop.if %c {
    }
    loop.if %c {
      %a = addi %i, %i : tile<i32>
    } else {
      loop.yield
    }
    %r = loop.if %c -> tile<f32> {
      loop.yield %f : tile<f32>
    } else {
      %n = negf %f : tile<f32>
      loop.yield %n : tile<f32>
    }
    %u, %w = loop.if %c -> (tile<f32>, tile<i32>) {
      loop.yield %f, %i : tile<f32>, tile<i32>
    } else {
      loop.yield %r, %i : tile<f32>, tile<i32>
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>) {
    loop.if %c {
    }
    loop.if %c {
      %a = addi %i, %i : tile<i32>
    } else {
    }
    %r = loop.if %c -> (tile<f32>) {
      loop.yield %f : tile<f32>
    } else {
      %n = negf %f : tile<f32>
      loop.yield %n : tile<f32>
    }
    %u, %w = loop.if %c -> (tile<f32>, tile<i32>) {
      loop.yield %f, %i : tile<f32>, tile<i32>
    } else {
      loop.yield %r, %i : tile<f32>, tile<i32>
    }
    return
  }
}
