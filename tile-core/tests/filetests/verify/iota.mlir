// test: verify
// Integers, rank one, and what they can count.

cuda_tile.module @m {
  entry @k() {
    %r0 = iota : tile<2xi1>
    %r1 = iota : tile<4xi1> // error[T0303]: `i1` cannot count to 4
    %r2 = iota : tile<256xi8>
    %r3 = iota : tile<512xi8> // error[T0303]: `i8` cannot count to 512
    %r4 = iota : tile<65536xi16>
    %r5 = iota : tile<131072xi16> // error[T0303]: `i16` cannot count to 131072
    %r6 = iota : tile<16777216xi32>
    %r7 = iota : tile<16777216xi64>
    %r8 = iota : tile<1xi64>
    %r9 = iota : tile<i32> // error[T0303]: expected rank 1, found rank 0
    %r10 = iota : tile<2x2xi32> // error[T0303]: expected rank 1, found rank 2
    %r11 = iota : tile<4xi4> // error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r12 = iota : tile<4xf32> // error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r13 = iota : tile<4xptr<i32>> // error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<i32>>`
    %r14 = iota : token // error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `token`
    return
  }
}
