// test: parse
// Two operands: arguments are element and accumulator per operand.

cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %i = constant <i32: 1> : tile<2x4xi32>
    %s = reduce %a dim=1 identities=[0xFF800000 : f32] : tile<2x4xf32> -> tile<2xf32> (%x: tile<f32>, %acc: tile<f32>) {
      %m = maxf %x, %acc : tile<f32>
      yield %m : tile<f32>
    }
    %p, %q = reduce %a, %i dim=0 identities=[0.000000e+00 : f32, -1 : i32] : tile<2x4xf32>, tile<2x4xi32> -> tile<4xf32>, tile<4xi32> (%x: tile<f32>, %xacc: tile<f32>, %y: tile<i32>, %yacc: tile<i32>) {
      yield %xacc, %yacc : tile<f32>, tile<i32>
    }
    %b = constant <i1: true> : tile<2xi1>
    %all = reduce %b dim=0 identities=[true] : tile<2xi1> -> tile<i1> (%u: tile<i1>, %v: tile<i1>) {
      %w = andi %u, %v : tile<i1>
      yield %w : tile<i1>
    }
    return
  }
}
