// test: parse
// `global`: visibility, constancy, alignment, every type.

cuda_tile.module @m {
  global @plain <f32: [1.000000e-01, 2.000000e-01, 3.000000e-01, 4.000000e-01]> : tile<4xf32>
  global private @hidden <i32: 7> : tile<1xi32>
  global constant @fixed alignment = 128 <i8: [1, -1]> : tile<2xi8>
  global private constant @both alignment = 16 <i1: [true, false]> : tile<2xi1>
  global @all_i1 <i1: true> : tile<2xi1>
  global @all_i8 <i8: 1> : tile<2xi8>
  global @all_i16 <i16: 1> : tile<2xi16>
  global @all_i32 <i32: 1> : tile<2xi32>
  global @all_i64 <i64: 1> : tile<2xi64>
  global @all_f16 <f16: 1.000000e+00> : tile<2xf16>
  global @all_bf16 <bf16: 1.000000e+00> : tile<2xbf16>
  global @all_f32 <f32: 1.000000e+00> : tile<2xf32>
  global @all_tf32 <tf32: 1.000000e+00> : tile<2xtf32>
  global @all_f64 <f64: 1.000000e+00> : tile<2xf64>
  global @all_f8E4M3FN <f8E4M3FN: 1.000000e+00> : tile<2xf8E4M3FN>
  global @all_f8E5M2 <f8E5M2: 1.000000e+00> : tile<2xf8E5M2>
  global @all_f8E8M0FNU <f8E8M0FNU: 1.000000e+00> : tile<2xf8E8M0FNU>
  global @all_f4E2M1FN <f4E2M1FN: 1.000000e+00> : tile<2xf4E2M1FN>
}
