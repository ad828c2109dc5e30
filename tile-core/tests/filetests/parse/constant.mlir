// test: parse
// `constant`: decimals where they read back, else bit patterns; signed integers; lists only where elements differ.

cuda_tile.module @m {
  entry @k() {
    %b0 = constant <i1: true> : tile<i1>
    %b1 = constant <i1: [true, false]> : tile<2xi1>
    %c0 = constant <i8: -1> : tile<i8>
    %c1 = constant <i8: [-128, 127]> : tile<2xi8>
    %s0 = constant <i16: [[-32768], [32767]]> : tile<2x1xi16>
    %i0 = constant <i32: [[1, 2], [3, -4]]> : tile<2x2xi32>
    %l0 = constant <i64: -9223372036854775808> : tile<i64>
    %l1 = constant <i64: 9223372036854775807> : tile<2x4xi64>
    %h0 = constant <f16: [1.000000e+00, 6.550400e+04, 5.960460e-08, 0x7C00]> : tile<4xf16>
    %e0 = constant <bf16: [1.000980e-01, -0.000000e+00, 0xFF80, 0x7FC0]> : tile<4xbf16>
    %f0 = constant <f32: 1.000000e-01> : tile<f32>
    %f1 = constant <f32: -1.000000e+30> : tile<128x1xf32>
    %f2 = constant <f32: [3.14159274, 1.23456704E+9, 0.00123456703, 9.765625E-4]> : tile<4xf32>
    %f3 = constant <f32: [0x4B7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000]> : tile<4xf32>
    %d0 = constant <f64: [1.000000e-01, 0.33333333333333331, 4.940660e-324, 0x7FF8000000000000]> : tile<4xf64>
    %t0 = constant <tf32: [1.000000e+00, 9.997550e-02, 0x3FC00, 0x3FE00]> : tile<4xtf32>
    %g0 = constant <f8E4M3FN: [4.480000e+02, 1.953130e-03, -0.000000e+00, 0x7F]> : tile<4xf8E4M3FN>
    %g1 = constant <f8E5M2: [9.375000e-02, -5.734400e+04, 0x7C, 0x7F]> : tile<4xf8E5M2>
    %g2 = constant <f8E8M0FNU: [1.000000e+00, 5.877470e-39, 1.250000e-01, 0xFF]> : tile<4xf8E8M0FNU>
    %n0 = constant <f4E2M1FN: [5.000000e-01, 6.000000e+00, -6.000000e+00, -0.000000e+00]> : tile<4xf4E2M1FN>
    return
  }
}
