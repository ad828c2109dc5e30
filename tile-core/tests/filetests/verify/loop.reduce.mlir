// test: verify
// `loop.reduce`: a child of `loop.parallel`, a body of two arguments without effects.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %p: tile<ptr<f32>>) {
    %r = loop.parallel (%x) = (%i) to (%i) step (%i) -> (tile<f32>) {
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        %s = loop.if %c -> (tile<f32>) {
          loop.yield %a : tile<f32>
        } else {
          %q = loop.parallel (%y) = (%i) to (%i) step (%i) -> (tile<f32>) {
            loop.reduce(%a) {
            ^bb0(%d: tile<f32>, %e: tile<f32>):
              loop.reduce.return %e : tile<f32>
            } : tile<f32>
          }
          loop.yield %q : tile<f32>
        }
        loop.reduce.return %s : tile<f32>
      } : tile<f32>
    }
    loop.reduce(%f) { // error[T0304]: `loop.reduce` is inside `entry`
    ^bb0(%a: tile<f32>, %b: tile<f32>):
      loop.reduce.return %a : tile<f32>
    } : tile<f32>
    loop.parallel (%x) = (%i) to (%i) step (%i) {
      loop.if %c {
        loop.reduce(%f) { // error[T0304]: `loop.reduce` is inside `loop.if`
        ^bb0(%a: tile<f32>, %b: tile<f32>):
          loop.reduce.return %a : tile<f32>
        } : tile<f32>
      }
    }
    %r0, %r1, %r2, %r3, %r4 = loop.parallel (%x) = (%i) to (%i) step (%i) -> (tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>) {
      loop.reduce(%f) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>), found (tile<f32>, tile<i32>)
      ^bb0(%a: tile<f32>, %b: tile<i32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
      loop.reduce(%f) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>), found (tile<f32>)
      ^bb0(%a: tile<f32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %i : tile<i32> // error[T0301]: expected operands (tile<f32>), found (tile<i32>)
      } : tile<f32>
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        %t = store_ptr_tko weak %p, %a : tile<ptr<f32>>, tile<f32> -> token // error[T0304]: expected operations without effects inside `loop.reduce`, found `store_ptr_tko`
        if %c {
          %o, %u = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token // error[T0304]: expected operations without effects inside `loop.reduce`, found `load_ptr_tko`
        }
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
      loop.reduce(%f) { // error[T0304]: a block of `loop.reduce` does not end in a terminator
      ^bb0(%a: tile<f32>, %b: tile<f32>):
      } : tile<f32>
    }
    return
  }
}
