// test: parse
// `testing$func` is admitted by an option only.

cuda_tile.module @m {
  testing$func @f() { // error[T0103]: unknown operation `testing$func`
  }
  entry @k() -> tile<i32> { // error[T0103]: expected `{`, found `->`: an entry returns nothing
  }
}
