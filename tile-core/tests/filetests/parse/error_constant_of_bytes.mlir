// test: parse
// Strings that are not the bytes of the tile.

cuda_tile.module @m {
  entry @k() {
    %a = constant <i16: "0x000102"> : tile<2xi16> // error[T0103]: expected `0x` and 4 hexadecimal digits per number of `i16`
    %b = constant <i16: "0001"> : tile<i16> // error[T0103]: expected `0x` and 4 hexadecimal digits per number of `i16`
    %c = constant <i16: "0x"> : tile<i16> // error[T0103]: expected `0x` and 4 hexadecimal digits per number of `i16`
    %d = constant <i16: "0x00g1"> : tile<i16> // error[T0103]: expected `0x` and 4 hexadecimal digits per number of `i16`
    %e = constant <i1: "0x02"> : tile<i1> // error[T0103]: expected `0x` and 2 hexadecimal digits per number of `i1`
    %f = constant <f4E2M1FN: "0x0010"> : tile<2xf4E2M1FN> // error[T0103]: expected `0x` and 2 hexadecimal digits per number of `f4E2M1FN`
    %g = constant <i8: "0x0001"> : tile<4xi8> // error[T0203]: expected 4 numbers, found 2
    %h = constant <i8: "0x0001"> : tile<4294967296x4294967296x4xi8> // error[T0203]: 2 numbers cannot fill shape (4294967296, 4294967296, 4)
    %i = constant <i8: ["0x00"]> : tile<1xi8> // error[T0103]: expected an integer, found `"0x00"`
  }
}
