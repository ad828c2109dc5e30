// test: parse
// `for`: signed and unsigned, every type of bound, carried values; a `continue` without
// operands is not written.

cuda_tile.module @m {
  entry @k(%t: tile<i1>, %c: tile<i8>, %s: tile<i16>, %i: tile<i32>, %l: tile<i64>) {
    for %x0 in (%t to %t, step %t) : tile<i1> {
    }
    for %x1 in (%c to %c, step %c) : tile<i8> {
    }
    for %x2 in (%s to %s, step %s) : tile<i16> {
    }
    for %x3 in (%i to %i, step %i) : tile<i32> {
    }
    for %x4 in (%l to %l, step %l) : tile<i64> {
    }
    for unsigned %x in (%i to %i, step %i) : tile<i32> {
    }
    %r = for %x in (%i to %i, step %i) : tile<i32> iter_values(%a = %l) -> (tile<i64>) {
      continue %a : tile<i64>
    }
    %u, %w = for unsigned %x in (%i to %i, step %i) : tile<i32> iter_values(%a = %l, %b = %i) -> (tile<i64>, tile<i32>) {
      continue %a, %x : tile<i64>, tile<i32>
    }
    return
  }
}
