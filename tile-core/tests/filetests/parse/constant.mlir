// test: parse
// Literals: shortest decimals, bit patterns where no decimal reads back, signed integers, lists only where elements differ.

cuda_tile.module @m {
  entry @k() {
    %b = constant <i1: true> : tile<i1>
    %bs = constant <i1: [true, false]> : tile<2xi1>
    %i8 = constant <i8: -1> : tile<i8>
    %i64 = constant <i64: -9223372036854775808> : tile<i64>
    %f = constant <f32: 1.000000e-01> : tile<f32>
    %big = constant <f32: -1.000000e+30> : tile<128x1xf32>
    %inf = constant <f32: 0xFF800000> : tile<f32>
    %nan = constant <f64: 0x7FF8000000000000> : tile<f64>
    %h = constant <f16: 6.103520e-05> : tile<f16>
    %t = constant <tf32: 1.000000e+00> : tile<tf32>
    %tn = constant <tf32: 0x3FE00> : tile<tf32>
    %e = constant <f8E8M0FNU: 2.500000e-01> : tile<f8E8M0FNU>
    %l = constant <i32: [[1, 2], [3, -4]]> : tile<2x2xi32>
    %z = constant <f32: [-0.000000e+00, 0.000000e+00]> : tile<2xf32>
    return
  }
}
