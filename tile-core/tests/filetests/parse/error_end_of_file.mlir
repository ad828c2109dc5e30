// test: parse
// The end comes too early.

cuda_tile.module @m {
  entry @k() {
    %a = constant <i32:
// error[T0103]: expected an integer, found the end of the file
