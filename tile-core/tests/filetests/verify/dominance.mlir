// test: verify
// Uses before definitions, and from outside of an entry.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %a = addi %b, %b : tile<i32> // error[T0305]: `%b` is used before it is defined
    %b = addi %n, %n : tile<i32>
    %c = addi %c, %c : tile<i32> // error[T0305]: `%c` is used before it is defined
    %r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%x = %n) -> (tile<i32>) {
      %y = addi %r, %d : tile<i32> // error[T0305]: `%r` is used before it is defined
// error[T0305]: `%d` is used before it is defined
      continue %y : tile<i32>
    }
    %d = addi %n, %n : tile<i32>
    return
  }
}
