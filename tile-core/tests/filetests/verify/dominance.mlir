// test: verify
// Uses before definitions, and from outside of an entry.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %q: tile<i1>) {
    %a = addi %b, %b : tile<i32> // error[T0305]: `%b` is used before it is defined
    %b = addi %n, %n : tile<i32>
    %c = addi %c, %c : tile<i32> // error[T0305]: `%c` is used before it is defined
    %r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%x = %n) -> (tile<i32>) {
      %y = addi %r, %d : tile<i32> // error[T0305]: `%r` is used before it is defined
// error[T0305]: `%d` is used before it is defined
      if %q {
        %u = addi %d, %y : tile<i32> // error[T0305]: `%d` is used before it is defined
        %v = addi %w, %u : tile<i32> // error[T0305]: `%w` is used before it is defined
        %w = addi %u, %x : tile<i32>
      } else {
        %z = addi %y, %b : tile<i32>
      }
      continue %y : tile<i32>
    }
    %d = addi %n, %r : tile<i32>
    return
  }
}
