// test: parse
// Variables whose parts are wrong, missing or in another order.

cuda_tile.module @m {
  global constant private @a <i32: 1> : tile<1xi32> // error[T0103]: expected the variable's name, found `private`
  global protected @b <i32: 1> : tile<1xi32> // error[T0103]: expected the variable's name, found `protected`
  global c <i32: 1> : tile<1xi32> // error[T0103]: expected the variable's name, found `c`
  global @d alignment = x <i32: 1> : tile<1xi32> // error[T0103]: expected an integer, found `x`
  global @e : tile<1xi32> // error[T0103]: expected `<`, found `:`
  global @f <i32: [1, 2]> : tile<4xi32> // error[T0203]: expected a literal of shape (4), found (2)
  global @g <i32: 1.0> : tile<1xi32> // error[T0103]: expected an integer, found `1.0`
  global @h <i32: 1> : tile<1xf32> // error[T0202]: expected a tile of `i32`, found `tile<1xf32>`
  %x = global @i <i32: 1> : tile<1xi32> // error[T0103]: expected 0 result names, found 1
}
