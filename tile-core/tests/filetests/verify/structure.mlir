// test: verify --allow-testing
// Terminators, parents, placement.

cuda_tile.module @m {
  %outside = constant <i32: 1> : tile<i32> // error[T0304]: `constant` is outside of any entry
  return // error[T0304]: `return` is outside of any entry
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    if %c {
      %z = constant <i32: 1> : tile<i32>
      return // error[T0304]: `return` is not the last operation of its block
      %y = constant <i32: 1> : tile<i32>
    }
    continue // error[T0304]: `continue` is inside `entry`
    yield // error[T0304]: `yield` is inside `entry`
    for %i in (%n to %n, step %n) : tile<i32> {
      return // error[T0304]: `return` is inside `for`
    }
    for %i in (%n to %n, step %n) : tile<i32> {
      if %c {
        return // error[T0304]: `return` inside `for`
      }
    }
    for %i in (%n to %n, step %n) : tile<i32> {
      yield // error[T0304]: `yield` is inside `for`
    }
    if %c {
      continue // error[T0304]: `continue` inside `entry`
    }
    %r = reduce %t dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) { // error[T0305]: `%t` is used before it is defined
      %w = addi %x, %y : tile<i32> // error[T0304]: a block of `reduce` does not end in a terminator
    }
    %t = iota : tile<4xi32>
    entry @inner() { // error[T0304]: `entry` is inside `entry`
    }
    global @variable <i32: 1> : tile<1xi32> // error[T0304]: `global` is inside `entry`
    testing$func @function() { // error[T0304]: `testing$func` is inside `entry`
      continue // error[T0304]: `continue` is inside `testing$func`
    }
    if %c {
      if %c {
        for %i in (%n to %n, step %n) : tile<i32> {
        }
        yield // error[T0304]: `yield` is not the last operation of its block
        return
      } else {
        break // error[T0304]: `break` inside `entry`
      }
      yield // error[T0304]: `yield` is not the last operation of its block
      yield
    }
    return
  }
}
