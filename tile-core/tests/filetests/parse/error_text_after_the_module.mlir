// test: parse
// Nothing may follow a module.

cuda_tile.module @m {
}
entry @k() { // error[T0103]: expected the end of the file, found another module
}
