// test: parse
// Strings must end on their line, with known escapes.

cuda_tile.module @m attributes {producer = "\q"} { // error[T0103]: a string with an unknown escape or invalid UTF-8
}
