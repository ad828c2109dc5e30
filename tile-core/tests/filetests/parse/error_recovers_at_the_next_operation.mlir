// test: parse
// Every error is reported; a broken operation defines its results.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %a = addi %n %n : tile<i32> // error[T0103]: expected `,`, found `%n`
    %b = frobnicate %a : tile<i32> // error[T0103]: unknown operation `frobnicate`
    %c = addi %a, %b : tile<i32>
    %d = for %i (%n to %n, step %n) : tile<i32> { // error[T0103]: expected `in`, found `(`
      %e = nothing
    }
    %x, %y = addi %n, %n : tile<i32> // error[T0103]: expected 1 result names, found 2
    %h = addi %n, %n : tile<i32>
    42 // error[T0103]: expected an operation, found `42`
    %f = addi %nowhere, %n : tile<i32> // error[T0201]: unknown value `%nowhere`
    %n = addi %n, %n : tile<i32> // error[T0103]: `%n` is defined twice
    addi %n, %n overflow<sometimes> : tile<i32> // error[T0103]: expected `none` or `no_signed_wrap` or `no_unsigned_wrap` or `no_wrap`, found `sometimes`
    %g = maxi %n, %n : tile<i32> // error[T0103]: expected `unsigned` or `signed`, found `:`
    return
  }
  entry @l(%m: tile<i33>) { // error[T0103]: expected a number type, found `i33`
  }
  entry @last() {
    %u = addi %n, %n : tile<i32> // error[T0201]: unknown value `%n`
  }
}
