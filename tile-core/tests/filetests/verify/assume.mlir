// test: verify
// What each predicate can speak of.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %f: tile<f32>, %q: tile<ptr<f32>>, %v: tensor_view<8xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>) {
    %i32 = constant <i32: 1> : tile<4xi32>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %i32_2x4 = constant <i32: 1> : tile<2x4xi32>
    %i64_2x4 = constant <i64: 1> : tile<2x4xi64>
    %p_f32_2x4 = int_to_ptr %i64_2x4 : tile<2x4xi64> -> tile<2x4xptr<f32>>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %i1 = constant <i1: true> : tile<4xi1>
    %i64 = constant <i64: 1> : tile<4xi64>
    %t = make_token : token
    %r0 = assume div_by<1>, %n : tile<i32>
    %r1 = assume div_by<4611686018427387904>, %n : tile<i32>
    %r2 = assume div_by<4>, %q : tile<ptr<f32>>
    %r3 = assume div_by<4>, %v : tensor_view<8xf32, strides=[1]>
    %r4 = assume div_by<0>, %n : tile<i32> // error[T0302]: cannot assume divisibility by 0
    %r5 = assume div_by<3>, %n : tile<i32> // error[T0302]: cannot assume divisibility by 3
    %r6 = assume div_by<3, every 1>, %n : tile<i32> // error[T0302]: cannot assume divisibility by 3
    %r7 = assume div_by<4, every 1>, %i32 : tile<4xi32> // error[T0302]: one of `every` and `along` is missing
    %r8 = assume div_by<4, along 0>, %i32 : tile<4xi32> // error[T0302]: one of `every` and `along` is missing
    %r9 = assume div_by<4>, %f : tile<f32> // error[T0302]: cannot assume divisibility of `tile<f32>`
    %r10 = assume div_by<4>, %w : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>> // error[T0302]: cannot assume divisibility of `partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>`
    %r11 = assume div_by<4>, %t : token // error[T0302]: cannot assume divisibility of `token`
    %r12 = assume div_by<4, every 1 along 0>, %v : tensor_view<8xf32, strides=[1]> // error[T0302]: `every` and `along` on `tensor_view<8xf32, strides=[1]>`
    %r13 = assume div_by<4, every 1 along 0>, %n : tile<i32> // error[T0302]: `every` and `along` on `tile<i32>`
    %r14 = assume div_by<4, every 1 along 0>, %f : tile<f32> // error[T0302]: `every` and `along` on `tile<f32>`
    %r15 = assume div_by<4, every 1 along 0>, %f32 : tile<4xf32> // error[T0302]: cannot assume divisibility of `tile<4xf32>`
    %r16 = assume div_by<4, every 1 along 0>, %t : token // error[T0302]: cannot assume divisibility of `token`
    %r17 = assume div_by<4, every 0 along 0>, %i32_2x4 : tile<2x4xi32>
    %r18 = assume div_by<4, every 2 along 0>, %i32_2x4 : tile<2x4xi32>
    %r19 = assume div_by<4, every 3 along 1>, %i32_2x4 : tile<2x4xi32>
    %r20 = assume div_by<4, every 4 along 1>, %p_f32_2x4 : tile<2x4xptr<f32>>
    %r21 = assume div_by<4, every 3 along 0>, %i32_2x4 : tile<2x4xi32> // error[T0302]: expected groups of at most 2, found 3
    %r22 = assume div_by<4, every 5 along 1>, %i32_2x4 : tile<2x4xi32> // error[T0302]: expected groups of at most 4, found 5
    %r23 = assume div_by<4, every -1 along 1>, %i32_2x4 : tile<2x4xi32> // error[T0302]: expected groups of at most 4, found -1
    %r24 = assume div_by<4, every 1 along 2>, %i32_2x4 : tile<2x4xi32> // error[T0302]: expected an axis below 2, found 2
    %r25 = assume div_by<4, every 1 along -1>, %i32_2x4 : tile<2x4xi32> // error[T0302]: expected an axis below 2, found -1
    %r26 = assume div_by<2>, %i4 : tile<4xi4>
    %r27 = assume div_by<2>, %i1 : tile<4xi1>
    %r28 = assume same_elements<[]>, %n : tile<i32>
    %r29 = assume same_elements<[4]>, %i32 : tile<4xi32>
    %r30 = assume same_elements<[0]>, %i32 : tile<4xi32>
    %r31 = assume same_elements<[2, 4]>, %p_f32_2x4 : tile<2x4xptr<f32>>
    %r32 = assume same_elements<[5]>, %i32 : tile<4xi32> // error[T0302]: blocks of (5) in a tile of (4)
    %r33 = assume same_elements<[-1]>, %i32 : tile<4xi32> // error[T0302]: blocks of (-1) in a tile of (4)
    %r34 = assume same_elements<[3, 4]>, %i32_2x4 : tile<2x4xi32> // error[T0302]: blocks of (3, 4) in a tile of (2, 4)
    %r35 = assume same_elements<[2, 5]>, %i32_2x4 : tile<2x4xi32> // error[T0302]: blocks of (2, 5) in a tile of (2, 4)
    %r36 = assume same_elements<[1]>, %n : tile<i32> // error[T0302]: expected 0 extents, found 1
    %r37 = assume same_elements<[]>, %i32 : tile<4xi32> // error[T0302]: expected 1 extents, found 0
    %r38 = assume same_elements<[1]>, %f32 : tile<4xf32> // error[T0302]: cannot assume equal elements of `tile<4xf32>`
    %r39 = assume same_elements<[]>, %v : tensor_view<8xf32, strides=[1]> // error[T0302]: cannot assume equal elements of `tensor_view<8xf32, strides=[1]>`
    %r40 = assume same_elements<[]>, %t : token // error[T0302]: cannot assume equal elements of `token`
    %r41 = assume bounded<?, ?>, %n : tile<i32>
    %r42 = assume bounded<0, ?>, %n : tile<i32>
    %r43 = assume bounded<5, 5>, %n : tile<i32>
    %r44 = assume bounded<5, 4>, %n : tile<i32> // error[T0302]: the lower bound 5 is above the upper bound 4
    %r45 = assume bounded<-1, 0>, %i1 : tile<4xi1>
    %r46 = assume bounded<?, 1>, %i1 : tile<4xi1> // error[T0302]: the bound 1 does not fit a signed `i1`
    %r47 = assume bounded<-2, ?>, %i1 : tile<4xi1> // error[T0302]: the bound -2 does not fit a signed `i1`
    %r48 = assume bounded<-8, 7>, %i4 : tile<4xi4>
    %r49 = assume bounded<-9, ?>, %i4 : tile<4xi4> // error[T0302]: the bound -9 does not fit a signed `i4`
    %r50 = assume bounded<?, 8>, %i4 : tile<4xi4> // error[T0302]: the bound 8 does not fit a signed `i4`
    %r51 = assume bounded<-128, 127>, %i8 : tile<4xi8>
    %r52 = assume bounded<-129, ?>, %i8 : tile<4xi8> // error[T0302]: the bound -129 does not fit a signed `i8`
    %r53 = assume bounded<?, 128>, %i8 : tile<4xi8> // error[T0302]: the bound 128 does not fit a signed `i8`
    %r54 = assume bounded<-2147483648, 2147483647>, %n : tile<i32>
    %r55 = assume bounded<?, 2147483648>, %n : tile<i32> // error[T0302]: the bound 2147483648 does not fit a signed `i32`
    %r56 = assume bounded<-9223372036854775808, 9223372036854775807>, %i64 : tile<4xi64>
    %r57 = assume bounded<0, 1>, %f : tile<f32> // error[T0302]: cannot assume bounds of `tile<f32>`
    %r58 = assume bounded<0, 1>, %q : tile<ptr<f32>> // error[T0302]: cannot assume bounds of `tile<ptr<f32>>`
    %r59 = assume bounded<0, 1>, %v : tensor_view<8xf32, strides=[1]> // error[T0302]: cannot assume bounds of `tensor_view<8xf32, strides=[1]>`
    %r60 = assume bounded<0, 1>, %t : token // error[T0302]: cannot assume bounds of `token`
    %r61 = assume div_by<4>, %n : tile<i64> // error[T0303]: expected `result` of type `tile<i32>`, found `tile<i64>`
    return
  }
}
