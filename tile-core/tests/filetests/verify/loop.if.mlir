// test: verify
// `loop.if`: an `else` where there are results, which both branches yield.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>) {
    loop.if %c {
    }
    %r = loop.if %c -> (tile<f32>) {
      loop.yield %f : tile<f32>
    } else {
      loop.yield %f : tile<f32>
    }
    loop.if %i { // error[T0301]: expected `condition` to be a rank-0 tile of i1, found `tile<i32>`
    }
    %r0 = loop.if %c -> (tile<f32>) { // error[T0304]: a `loop.if` with results has no `else`
      loop.yield %f : tile<f32>
    }
    %r1 = loop.if %c -> (tile<f32>) {
      loop.yield %i : tile<i32> // error[T0301]: expected operands (tile<f32>), found (tile<i32>)
    } else {
    } // error[T0301]: expected operands (tile<f32>), found ()
    loop.if %c {
      loop.yield %f : tile<f32> // error[T0301]: expected operands (), found (tile<f32>)
    }
    "loop.if"(%c) ({ // error[T0304]: expected body arguments (), found (tile<i64>)
    ^bb0(%x: tile<i64>):
      "loop.yield"() : () -> ()
    }, {}) : (!cuda_tile.tile<i1>) -> ()
    "loop.if"(%c) ({}, {}) : (!cuda_tile.tile<i1>) -> () // error[T0304]: expected one block in region 0, found 0
    return
  }
}
