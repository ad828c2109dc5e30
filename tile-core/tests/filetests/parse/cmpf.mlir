// test: parse
// `cmpf`.

cuda_tile.module @m {
  entry @k() {
    %f = constant <f32: 1.500000e+00> : tile<4xf32>
    %c0 = cmpf equal ordered %f, %f : tile<4xf32> -> tile<4xi1>
    %c1 = cmpf not_equal unordered %f, %f : tile<4xf32> -> tile<4xi1>
    %c2 = cmpf less_than ordered %f, %f : tile<4xf32> -> tile<4xi1>
    %c3 = cmpf less_than_or_equal ordered %f, %f : tile<4xf32> -> tile<4xi1>
    %c4 = cmpf greater_than unordered %f, %f : tile<4xf32> -> tile<4xi1>
    %c5 = cmpf greater_than_or_equal ordered %f, %f : tile<4xf32> -> tile<4xi1>
    return
  }
}
