// test: parse
// Faults in the text of the dialect `loop`.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>) {
    loop.while %c { // error[T0103]: unknown operation `loop.while`
    }
    cuda_tile.loop.for %x0 = %i to %i step %i { // error[T0103]: unknown operation `cuda_tile.loop.for`
    }
    loop.for %x1 in (%i to %i, step %i) : tile<i32> { // error[T0103]: expected `=`, found `in`
    }
    loop.for %x2 = %i to %i, step %i { // error[T0103]: expected `step`, found `,`
    }
    loop.for %x3 = %i to %late step %i {
    }
    loop.for %x4 = %late to %i step %i { // error[T0103]: the type of the loop variable is not known
    }
    loop.for %x5 = %i to %i step %i : tile<i64> { // error[T0202]: expected `tile<i32>`, found `tile<i64>`
    }
    %r0 = loop.for %x6 = %i to %i step %i iter_args(%a = %f, %b = %f) -> (tile<f32>) { // error[T0103]: expected 2 types, found 1
    }
    loop.parallel () = () to () step () { // error[T0103]: expected at least one loop variable, found none
    }
    loop.parallel (%x7, %y7) = (%i, %i) to (%i) step (%i, %i) { // error[T0103]: expected 2 values, one per loop variable, found 1
    }
    loop.parallel %x8 = %i to %i step %i { // error[T0103]: expected `(`, found `%x8`
    }
    %r1 = loop.parallel (%x9) = (%i) to (%i) step (%i) -> (tile<f32>) {
      loop.reduce %f { // error[T0103]: expected `(`, found `%f`
      } : tile<f32>
      loop.reduce(%f) {
      ^bb0(%lhs : tile<f32>, %rhs): // error[T0103]: expected `:`, found `)`
      } : tile<f32>
      loop.reduce(%f) {
      ^bb0(%lhs : tile<f32>, %rhs : tile<f32>):
        loop.reduce.return : tile<f32> // error[T0103]: expected a value, found `:`
      } : tile<i32> // error[T0202]: expected `tile<f32>`, found `tile<i32>`
    }
    "loop.foo"() : () -> () // error[T0103]: unknown operation `loop.foo`
    "cuda_tile.loop.if"(%c) ({}, {}) : (!cuda_tile.tile<i1>) -> () // error[T0103]: unknown operation `cuda_tile.loop.if`
    %late = addi %i, %i : tile<i32>
    return
  }
}
