// test: verify
// `broadcast`, `reshape`, `permute`, `iota`, `select`.

cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 7> : tile<4xi32>
    %j = constant <i32: 7> : tile<8xi32>
    %l = constant <i64: 7> : tile<4xi64>
    %f = constant <f32: 1.5> : tile<4xf32>
    %g = constant <f64: 1.5> : tile<4xf64>
    %h = constant <f16: 1.5> : tile<4xf16>
    %s = constant <i32: 7> : tile<i32>
    %c = constant <i1: true> : tile<i1>
    %m = constant <i32: 1> : tile<2x4x8xi32>
    %o = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
    %d = constant <i1: true> : tile<2xi1>
    %r0 = broadcast %i : tile<4xi32> -> tile<8xi32> // error[T0301]: cannot broadcast shape (4) to (8)
    %r1 = reshape %i : tile<4xi32> -> tile<8xi32> // error[T0301]: expected 4 elements, found 8
    %r2 = permute %i [0] : tile<4xi32> -> tile<4xi32> // error[T0301]: expected rank 2 or more, found rank 1
    %r3 = permute %m [0, 1] : tile<2x4x8xi32> -> tile<2x4x8xi32> // error[T0302]: [0, 1] is no permutation of 3 axes
    %r4 = permute %m [0, 1, 1] : tile<2x4x8xi32> -> tile<2x4x4xi32> // error[T0302]: [0, 1, 1] is no permutation of 3 axes
    %r5 = permute %m [0, 1, 3] : tile<2x4x8xi32> -> tile<2x4x8xi32> // error[T0302]: [0, 1, 3] is no permutation of 3 axes
    %r6 = permute %m [0, -1, 2] : tile<2x4x8xi32> -> tile<2x4x8xi32> // error[T0302]: [0, -1, 2] is no permutation of 3 axes
    %r7 = permute %m [2, 0, 1] : tile<2x4x8xi32> -> tile<2x4x8xi32> // error[T0303]: expected a result of shape (8, 2, 4), found (2, 4, 8)
    %r8 = iota : tile<2x4xi32> // error[T0303]: expected rank 1, found rank 2
    %r9 = iota : tile<512xi8> // error[T0303]: `i8` cannot count to 512
    %ra = iota : tile<256xi8>
    %rb = select %d, %o, %o : tile<2xi1>, tile<2xf4E2M1FN> // error[T0303]: cannot select from `tile<2xf4E2M1FN>`
    %rc = iota : tile<i32> // error[T0303]: expected rank 1, found rank 0
    return
  }
}
