// test: verify
// What each predicate can speak of.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %v: tensor_view<f32>) {
    %i = iota : tile<64xi32>
    %f = constant <f32: 1.0> : tile<64xf32>
    %a0 = assume div_by<3>, %n : tile<i32> // error[T0302]: cannot assume divisibility by 3
    %a1 = assume div_by<0>, %n : tile<i32> // error[T0302]: cannot assume divisibility by 0
    %a2 = assume div_by<9223372036854775807>, %n : tile<i32> // error[T0302]: cannot assume divisibility by 9223372036854775807
    %a3 = assume div_by<4, every 4>, %i : tile<64xi32> // error[T0302]: one of `every` and `along` is missing
    %a4 = assume div_by<4, along 0>, %i : tile<64xi32> // error[T0302]: one of `every` and `along` is missing
    %a5 = assume div_by<4>, %f : tile<64xf32> // error[T0302]: cannot assume divisibility of `tile<64xf32>`
    %a6 = assume div_by<4, every 1 along 0>, %n : tile<i32> // error[T0302]: `every` and `along` on `tile<i32>`
    %a7 = assume div_by<4, every 1 along 0>, %v : tensor_view<f32> // error[T0302]: `every` and `along` on `tensor_view<f32>`
    %a8 = assume div_by<4, every 1 along 1>, %i : tile<64xi32> // error[T0302]: expected an axis below 1, found 1
    %a9 = assume div_by<4, every 65 along 0>, %i : tile<64xi32> // error[T0302]: expected groups of at most 64, found 65
    %aa = assume div_by<4, every -1 along 0>, %i : tile<64xi32> // error[T0302]: expected groups of at most 64, found -1
    %b0 = assume same_elements<[1]>, %f : tile<64xf32> // error[T0302]: cannot assume equal elements of `tile<64xf32>`
    %b1 = assume same_elements<[1, 1]>, %i : tile<64xi32> // error[T0302]: expected 1 extents, found 2
    %b2 = assume same_elements<[65]>, %i : tile<64xi32> // error[T0302]: blocks of (65) in a tile of (64)
    %c0 = assume bounded<0, 1>, %f : tile<64xf32> // error[T0302]: cannot assume bounds of `tile<64xf32>`
    %c1 = assume bounded<0, 2147483648>, %i : tile<64xi32> // error[T0302]: the bound 2147483648 does not fit a signed `i32`
    %c2 = assume bounded<-2147483649, ?>, %i : tile<64xi32> // error[T0302]: the bound -2147483649 does not fit a signed `i32`
    %c3 = assume bounded<1, 0>, %i : tile<64xi32> // error[T0302]: the lower bound 1 is above the upper bound 0
    %d0 = assume div_by<4>, %v : tensor_view<f32>
    %d1 = assume div_by<4611686018427387904>, %n : tile<i32>
    return
  }
}
