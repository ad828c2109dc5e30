// test: parse
// One error per fault; columns count characters, a tab is one.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %a = addi %n, %n {x = "é—ü"} : tile<i33> // error[T0103]: expected a number type, found `i33`
	%b = addi %n	%n : tile<i32> // error[T0103]: expected `,`, found `%n`
    %c = addi %n, %n : tile<i32> // é
    %d = print "\q" : tile<i32> // error[T0103]: unknown operation `print`
    %e = "unterminated // error[T0103]: expected an operation, found a string without end
    %f = addi %a, %b, : tile<i32> // error[T0103]: expected `:`, found `,`
    %g = for %i in (%n to %n, step %n) : tile<i32> iter_values(%x = %n) -> (tile<i32> { // error[T0103]: expected `)`, found `{`
      %inner = bad
    }
    %h = if %n -> (tile<i32>) {
      %i1 = bad1 // error[T0103]: unknown operation `bad1`
      yield %i1 : tile<i32>
    } else {
      bad2 // error[T0103]: unknown operation `bad2`
      yield %n : tile<i32>
    }
    %h = addi %h, %g : tile<i32> // error[T0103]: `%h` is defined twice
    %j = addi %h
      , %g : tile<i32>
    %l, %o = addi %h, // error[T0103]: expected 1 result names, found 2
      %g : tile<i32>
  }
  entry @é() { // error[T0103]: expected the entry's name, found `@`
  }
  entry @l(%n: tile<i32>) {
    addi %n, %n : tile<i32>
    module @inner { // error[T0103]: a module inside of a module
      entry @x() {
      }
    }
    testing$func @f() { // error[T0103]: unknown operation `testing$func`
    }
    func.func @f() { // error[T0103]: unknown operation `func.func`
    }
  }
}
