// test: verify
// `loop.yield` and the terminators of `cuda_tile`: each ends regions of its own dialect,
// and no jump crosses an operation of `loop`.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>) {
    loop.for %x = %i to %i step %i {
      for %y in (%i to %i, step %i) : tile<i32> {
        if %c {
          continue
        }
        loop.if %c {
          loop.yield
        }
      }
      loop {
        loop.parallel (%z) = (%i) to (%i) step (%i) {
        }
        break
      }
    }
    %s = loop.if %c -> (tile<i32>) {
      loop.yield %i : tile<i32>
    } else {
      loop.yield %i : tile<i32>
    }
    loop.for %x = %i to %i step %i {
      continue // error[T0304]: `continue` is inside `loop.for`
    }
    loop.if %c {
      yield // error[T0304]: `yield` is inside `loop.if`
    }
    loop.if %c {
      return // error[T0304]: `return` is inside `loop.if`
    }
    loop.for %x = %i to %i step %i {
      if %c {
        return // error[T0304]: `return` inside `loop.for`
      }
    }
    loop {
      loop.if %c {
        if %c {
          break // error[T0304]: `break` inside `loop.if`
        }
      }
      loop.parallel (%z) = (%i) to (%i) step (%i) {
        if %c {
          continue // error[T0304]: `continue` inside `loop.parallel`
        }
      }
      break
    }
    if %c {
      loop.yield // error[T0304]: `loop.yield` is inside `if`
    }
    for %x in (%i to %i, step %i) : tile<i32> {
      loop.yield %i : tile<i32> // error[T0304]: `loop.yield` is inside `for`
    }
    %n = constant <i32: 1> : tile<2xi32>
    %r = reduce %n dim=0 identities=[0 : i32] : tile<2xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      loop.for %x = %i to %i step %i { // error[T0304]: expected pure operations inside `reduce`, found `loop.for`
      }
      yield %a : tile<i32>
    }
    return
  }
}
