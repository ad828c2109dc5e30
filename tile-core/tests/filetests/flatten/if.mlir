// test: flatten
// `loop.if` is `if`; operations of both dialects nest in one another.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>, %f: tile<f32>) {
    %one = constant <i32: 1> : tile<i32>
    loop.if %c {
    }
    %r = loop.if %c -> (tile<f32>) {
      %s = for %i in (%one to %n, step %one) : tile<i32> iter_values(%a = %f) -> (tile<f32>) {
        %g = loop.if %c -> (tile<f32>) {
          %h = negf %a : tile<f32>
          loop.yield %h : tile<f32>
        } else {
          loop.yield %f : tile<f32>
        }
        if %c {
          continue %g : tile<f32>
        }
        continue %a : tile<f32>
      }
      loop.yield %s : tile<f32>
    } else {
      loop.yield %f : tile<f32>
    }
    if %c {
      return
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>, %f: tile<f32>) {
    %one = constant <i32: 1> : tile<i32>
    if %c {
    }
    %r = if %c -> (tile<f32>) {
      %s = for %i in (%one to %n, step %one) : tile<i32> iter_values(%a = %f) -> (tile<f32>) {
        %g = if %c -> (tile<f32>) {
          %h = negf %a : tile<f32>
          yield %h : tile<f32>
        } else {
          yield %f : tile<f32>
        }
        if %c {
          continue %g : tile<f32>
        }
        continue %a : tile<f32>
      }
      yield %s : tile<f32>
    } else {
      yield %f : tile<f32>
    }
    if %c {
      return
    }
    return
  }
}
// EntryPlan { name: "k", grid: None, buffers: [], atomics: [] }
