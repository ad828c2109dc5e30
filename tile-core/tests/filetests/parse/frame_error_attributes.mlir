// test: parse
// Attributes that are wrong; each gives one error.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %a = addi %n, %n {foo = } : tile<i32> // error[T0103]: expected an attribute, found `}`
    %b = addi %n, %n {foo = 1, bar, foo} : tile<i32> // error[T0103]: `foo` is given twice
    %c = addi %n, %n overflow<no_wrap> {overflow = #cuda_tile.overflow<none>} : tile<i32> // error[T0103]: `overflow` is given twice
    %d = addi %n, %n {overflow = #cuda_tile.rounding<zero>} : tile<i32> // error[T0103]: expected `cuda_tile.overflow`, found `cuda_tile.rounding`
    %e = addi %n, %n {overflow} : tile<i32> // error[T0103]: expected `=`, found `}`
    %f = addi %n, %n {foo = [1, 2} : tile<i32> // error[T0103]: expected `]`, found `}`
    %g = addi %n, %n {foo = #nowhere} : tile<i32> // error[T0201]: unknown alias `#nowhere`
    %h = addi %n, %n {foo = frob} : tile<i32> // error[T0103]: expected an attribute, found `frob`
    %i = addi %n, %n {foo = "abc} : tile<i32> // error[T0103]: expected an attribute, found a string without end
    %j = addi %n, %n {1 = 2} : tile<i32> // error[T0103]: expected the name of an attribute, found `1`
    %k = addi %a, %b : tile<i32>
    %l = addi %n, %n {foo = @a::b} : tile<i32> // error[T0103]: expected a symbol, found `b`
    %m = addi %n, %n {foo = -x} : tile<i32> // error[T0103]: expected a number, found `x`
    %o = addi %n, %n {foo = () i32} : tile<i32> // error[T0103]: expected `->`, found `i32`
    %p = addi %n, %n {foo = [1, é]} : tile<i32> // error[T0103]: expected an attribute, found `é`
  }
  entry @open() {
    %a = addi %n, %n {foo = [1, 2 // error[T0201]: unknown value `%n`
// error[T0103]: a `[` that nothing closes
