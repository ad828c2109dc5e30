// test: parse public
// `testing$func` is admitted by an option only.

cuda_tile.module @m {
  testing$func @f() { // error[T0103]: `testing$func` is for tests only: `--allow-testing` admits it
  }
  entry @k() -> tile<i32> { // error[T0103]: expected `{`, found `->`: an entry returns nothing
  }
}
