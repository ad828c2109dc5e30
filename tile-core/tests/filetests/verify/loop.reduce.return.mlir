// test: verify
// `loop.reduce.return` ends `loop.reduce` and nothing else.

cuda_tile.module @m {
  entry @k(%i: tile<i32>, %f: tile<f32>) {
    %r = loop.parallel (%x) = (%i) to (%i) step (%i) -> (tile<f32>) {
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %a : tile<f32>
      } : tile<f32>
    }
    %r0 = loop.parallel (%x) = (%i) to (%i) step (%i) -> (tile<f32>) {
      loop.reduce(%f) {
      ^bb0(%a: tile<f32>, %b: tile<f32>):
        loop.reduce.return %f : tile<f32> // error[T0304]: `loop.reduce.return` is not the last operation of its block
        loop.reduce.return %i : tile<i32> // error[T0301]: expected operands (tile<f32>), found (tile<i32>)
      } : tile<f32>
    }
    %r1 = loop.for %x = %i to %i step %i iter_args(%a = %f) -> (tile<f32>) {
      loop.reduce.return %a : tile<f32> // error[T0304]: `loop.reduce.return` is inside `loop.for`
    }
    return
  }
}
