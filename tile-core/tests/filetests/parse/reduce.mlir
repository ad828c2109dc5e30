// test: parse
// `reduce`: every type of identity; body arguments are element and accumulator per
// operand.

cuda_tile.module @m {
  entry @k() {
    %a0 = constant <i1: true> : tile<2x4xi1>
    %r0 = reduce %a0 dim=1 identities=[true] : tile<2x4xi1> -> tile<2xi1> (%x0: tile<i1>, %acc0: tile<i1>) {
      yield %acc0 : tile<i1>
    }
    %a1 = constant <i8: -1> : tile<2x4xi8>
    %r1 = reduce %a1 dim=1 identities=[-1 : i8] : tile<2x4xi8> -> tile<2xi8> (%x1: tile<i8>, %acc1: tile<i8>) {
      yield %acc1 : tile<i8>
    }
    %a2 = constant <i16: 7> : tile<2x4xi16>
    %r2 = reduce %a2 dim=1 identities=[7 : i16] : tile<2x4xi16> -> tile<2xi16> (%x2: tile<i16>, %acc2: tile<i16>) {
      yield %acc2 : tile<i16>
    }
    %a3 = constant <i32: 7> : tile<2x4xi32>
    %r3 = reduce %a3 dim=1 identities=[7 : i32] : tile<2x4xi32> -> tile<2xi32> (%x3: tile<i32>, %acc3: tile<i32>) {
      yield %acc3 : tile<i32>
    }
    %a4 = constant <i64: 7> : tile<2x4xi64>
    %r4 = reduce %a4 dim=1 identities=[7] : tile<2x4xi64> -> tile<2xi64> (%x4: tile<i64>, %acc4: tile<i64>) {
      yield %acc4 : tile<i64>
    }
    %a5 = constant <f16: 1.000000e+00> : tile<2x4xf16>
    %r5 = reduce %a5 dim=1 identities=[1.000000e+00 : f16] : tile<2x4xf16> -> tile<2xf16> (%x5: tile<f16>, %acc5: tile<f16>) {
      yield %acc5 : tile<f16>
    }
    %a6 = constant <bf16: 1.000000e+00> : tile<2x4xbf16>
    %r6 = reduce %a6 dim=1 identities=[1.000000e+00 : bf16] : tile<2x4xbf16> -> tile<2xbf16> (%x6: tile<bf16>, %acc6: tile<bf16>) {
      yield %acc6 : tile<bf16>
    }
    %a7 = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %r7 = reduce %a7 dim=1 identities=[0xFF800000 : f32] : tile<2x4xf32> -> tile<2xf32> (%x7: tile<f32>, %acc7: tile<f32>) {
      yield %acc7 : tile<f32>
    }
    %a8 = constant <f64: 1.000000e+00> : tile<2x4xf64>
    %r8 = reduce %a8 dim=1 identities=[1.000000e+00] : tile<2x4xf64> -> tile<2xf64> (%x8: tile<f64>, %acc8: tile<f64>) {
      yield %acc8 : tile<f64>
    }
    %p, %q = reduce %a7, %a3 dim=0 identities=[0.000000e+00 : f32, -1 : i32] : tile<2x4xf32>, tile<2x4xi32> -> tile<4xf32>, tile<4xi32> (%x: tile<f32>, %xacc: tile<f32>, %y: tile<i32>, %yacc: tile<i32>) {
      %m = maxf %x, %xacc : tile<f32>
      yield %m, %yacc : tile<f32>, tile<i32>
    }
    %v = reduce %q dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%z: tile<i32>, %zacc: tile<i32>) {
      %s = addi %z, %zacc : tile<i32>
      yield %s : tile<i32>
    }
    return
  }
}
