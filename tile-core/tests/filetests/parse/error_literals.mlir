// test: parse
// Literals that do not fit their type.

cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 256> : tile<i8> // error[T0212]: `256` does not fit `i8`
    %b = constant <i8: -129> : tile<i8> // error[T0212]: `-129` does not fit `i8`
    %c = constant <i64: 9223372036854775808> : tile<i64> // error[T0212]: `9223372036854775808` does not fit `i64`
    %d = constant <i32: 1.0> : tile<i32> // error[T0103]: expected an integer, found `1.0`
    %e = constant <f32: 1> : tile<f32> // error[T0103]: expected a number with a point or a bit pattern, found `1`
    %f = constant <f16: 0x10000> : tile<f16> // error[T0212]: `0x10000` does not fit `f16`
    %g = constant <f16: 70000.0> : tile<f16> // error[T0212]: `70000.0` does not fit `f16`
    %h = constant <i32: true> : tile<i32> // error[T0103]: expected an integer, found `true`
    %i = constant <i32: []> : tile<1xi32> // error[T0103]: expected at least one number, found an empty list
    %j = constant <i32: [[1, 2], [3]]> : tile<2x2xi32> // error[T0103]: lists at one level of a literal differ in shape
    %k = constant <i32: [1, 2]> : tile<2x2xi32> // error[T0203]: expected a literal of shape (2, 2), found (2)
    %l = constant <i32: 1> : tile<2xf32> // error[T0202]: expected a tile of `i32`, found `tile<2xf32>`
    %m = constant <i32: 1> : token // error[T0202]: expected a tile, found `token`
    %n = constant <f32: -0x1> : tile<f32> // error[T0103]: expected a number with a point or a bit pattern, found `0x1`
  }
}
