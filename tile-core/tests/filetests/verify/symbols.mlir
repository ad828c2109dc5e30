// test: verify --allow-testing
// Names are unique in a module, whatever they name.

cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32>
  entry @k() {
  }
  entry @k() { // error[T0304]: two symbols are named `k`
  }
  entry @g() { // error[T0304]: two symbols are named `g`
  }
  global @k <i32: 1> : tile<1xi32> // error[T0304]: two symbols are named `k`
  testing$func @f() {
    return
  }
  testing$func @f() { // error[T0304]: two symbols are named `f`
    return
  }
  global @g <i32: 1> : tile<1xi32> // error[T0304]: two symbols are named `g`
  entry @m() {
  }
}
