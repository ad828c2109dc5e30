// test: parse
// Faults of locations.

#f = #cuda_tile.di_file<"a" in "b">
#n = 1 : i32
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %a = addi %n, %n : tile<i32> loc(here) // error[T0103]: expected a location, found `here`
    %b = addi %n, %n : tile<i32> loc("a":x:1) // error[T0103]: expected an integer, found `x`
    %c = addi %n, %n : tile<i32> loc(#nowhere) // error[T0201]: unknown alias `#nowhere`
    %d = addi %n, %n : tile<i32> loc(#n) // error[T0103]: expected an alias of a location, found `n`
    %e = addi %n, %n : tile<i32> loc(#cuda_tile.di_loc<"a":1:1 in #f>) // error[T0103]: expected a scope, found a `di_file`
    %f = addi %n, %n : tile<i32> loc(#cuda_tile.di_loc<unknown in #f>) // error[T0103]: expected a file, line and column, found another location
    %g = addi %n, %n : tile<i32> loc(callsite("a":1:1 in "b":1:1)) // error[T0103]: expected `at`, found `in`
    %h = addi %n, %n : tile<i32> loc("a":1:1
    %i = addi %n, %n : tile<i32> loc(#cuda_tile.di_loc<"a":1:1 in #cuda_tile.di_subprogram<file = #f, line = 1, line = 2>>) // error[T0103]: expected `)`, found `%i`
// error[T0103]: `line` is given twice
    %j = addi %n, %n : tile<i32> loc(#cuda_tile.di_loc<"a":1:1 in #cuda_tile.di_subprogram<file = #f, line = 1>>) // error[T0103]: `di_subprogram` needs `file`, `line`, `name`, `linkageName`, `compileUnit`
    %l = addi %n, %n : tile<i32> loc(#cuda_tile.di_loc<"a":1:1 in #cuda_tile.di_nothing<1>>) // error[T0103]: expected `cuda_tile.di_file`, `cuda_tile.di_compile_unit`, `cuda_tile.di_subprogram` or `cuda_tile.di_lexical_block`, found `cuda_tile.di_nothing`
    %o = addi %n, %n : tile<i32> loc(#cuda_tile.di_loc<"a":1:1 in #cuda_tile.di_lexical_block<scop = #f>>) // error[T0103]: expected `scope` or `file` or `line` or `column`, found `scop`
    %p = addi %a, %b : tile<i32>
  }
}
#late = 1 : i32
