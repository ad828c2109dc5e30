// test: verify
// What only the generic form can say: signatures, blocks and their arguments.

cuda_tile.module @m {
  "cuda_tile.entry"() <{function_type = () -> !cuda_tile.tile<i32>, sym_name = "results"}> ({ // error[T0302]: expected no results, found (tile<i32>)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<i32>) -> (), sym_name = "parameters"}> ({ // error[T0304]: expected parameters (tile<i32>), found (tile<i64>)
  ^bb0(%n: !cuda_tile.tile<i64>):
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
  "cuda_tile.entry"() <{function_type = i32, sym_name = "signature"}> ({ // error[T0302]: expected a function type, found `i32`
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
  entry @k(%c: tile<i1>, %n: tile<i32>, %f: tile<f32>) {
    "cuda_tile.if"(%c) ({ // error[T0304]: a branch has arguments
// error[T0304]: a branch has arguments
    ^bb0(%x: !cuda_tile.tile<i32>):
      "cuda_tile.yield"() : () -> ()
    }, {
    ^bb0(%x: !cuda_tile.tile<i32>):
      "cuda_tile.yield"() : () -> ()
    }) : (!cuda_tile.tile<i1>) -> ()
    "cuda_tile.if"(%c) ({ // error[T0304]: expected 2 regions, found 1
      "cuda_tile.yield"() : () -> ()
    }) : (!cuda_tile.tile<i1>) -> ()
    "cuda_tile.if"(%c) ({ // error[T0304]: expected one block in region 0, found 0
// error[T0304]: expected one block in region 1, found 2
    }, {
      "cuda_tile.yield"() : () -> ()
    ^bb1:
      "cuda_tile.yield"() : () -> ()
    }) : (!cuda_tile.tile<i1>) -> ()
    "cuda_tile.for"(%n, %n, %n, %f) ({ // error[T0304]: expected body arguments (tile<i32>, tile<f32>), found (tile<i32>, tile<i32>)
    ^bb0(%i: !cuda_tile.tile<i32>, %x: !cuda_tile.tile<i32>):
      "cuda_tile.continue"(%f) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    "cuda_tile.for"(%n, %n, %n, %f) ({ // error[T0304]: expected body arguments (tile<i32>, tile<f32>), found (tile<i64>)
    ^bb0(%i: !cuda_tile.tile<i64>):
      "cuda_tile.continue"(%f) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    "cuda_tile.for"(%n, %n, %n, %f) ({ // error[T0303]: expected results (tile<f32>), found (tile<i32>)
    ^bb0(%i: !cuda_tile.tile<i32>, %x: !cuda_tile.tile<f32>):
      "cuda_tile.continue"(%n) : (!cuda_tile.tile<i32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
    "cuda_tile.loop"(%f) ({ // error[T0304]: expected body arguments (tile<f32>), found (tile<i32>)
    ^bb0(%x: !cuda_tile.tile<i32>):
      "cuda_tile.break"() : () -> ()
    }) : (!cuda_tile.tile<f32>) -> ()
    "cuda_tile.loop"() ({ // error[T0304]: a block of `loop` does not end in a terminator
    ^bb0:
    }) : () -> ()
    return
  }
}
