// test: verify
// One row of numbers.

cuda_tile.module @m {
  global @g0 <f32: [1.0, 2.0]> : tile<2xf32>
  global @g1 alignment = 0 <f32: 1.0> : tile<8xf32>
  global @g2 alignment = 16 <i1: true> : tile<8xi1>
  global @g3 alignment = 3 <f32: 1.0> : tile<8xf32>
  global private constant @g4 <f64: 1.0> : tile<1xf64>
  global @g5 <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
  global @g6 <f4E2M1FN: 1.0> : tile<1xf4E2M1FN> // error[T0306]: a tile of `f4E2M1FN` must have an even number of elements
  global @g7 <f32: 1.0> : tile<f32> // error[T0306]: expected a tile of rank 1, found `tile<f32>`
  global @g8 <f32: 1.0> : tile<2x2xf32> // error[T0306]: expected a tile of rank 1, found `tile<2x2xf32>`
  global @g9 <f32: 1.0> : tile<3xf32> // error[T0306]: all dimensions must be powers of two, got 3
  global @ga <i64: 1> : tile<16777216xi64>
  global @gb <i64: 1> : tile<33554432xi64> // error[T0306]: tile would exceed the maximum of 16777216 elements
}
