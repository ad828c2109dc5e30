// test: parse
// Faults of aliases.

!a = !cuda_tile.tile<4xi32>
!a = !cuda_tile.tile<8xi32> // error[T0103]: `!a` is defined twice
#b = 1 : i32
#b = 2 : i32 // error[T0103]: `#b` is defined twice
#c.d = 1 // error[T0103]: expected the name of an alias, which has no `.`, found `c.d`
#e 1 // error[T0103]: expected `=`, found `1`
#f = #nowhere // error[T0201]: unknown alias `#nowhere`
cuda_tile.module @m {
  entry @k(%n: !nowhere) { // error[T0201]: unknown alias `!nowhere`
  }
  entry @l(%n: tile<4xi32>) {
    %a = addi %n, %n : !a
    %b = addi %a, %n {overflow = #b} : !a // error[T0103]: expected `#cuda_tile.overflow<…>`, found `1`
    %c = addi %a, %n {overflow = #g} : !a // error[T0201]: unknown alias `#g`
  }
}
#g = 1
