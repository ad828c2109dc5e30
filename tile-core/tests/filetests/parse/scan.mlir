// test: parse
// `scan`: both directions, one and two operands; body arguments are element and prefix
// per operand.

cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %i = constant <i32: 1> : tile<2x4xi32>
    %s = scan %a dim=1 reverse=false identities=[0.000000e+00 : f32] : tile<2x4xf32> -> tile<2x4xf32> (%x: tile<f32>, %acc: tile<f32>) {
      %m = addf %x, %acc : tile<f32>
      yield %m : tile<f32>
    }
    %r = scan %i dim=0 reverse=true identities=[-1 : i32] : tile<2x4xi32> -> tile<2x4xi32> (%y: tile<i32>, %prev: tile<i32>) {
      yield %prev : tile<i32>
    }
    %p, %q = scan %a, %i dim=0 reverse=false identities=[0xFF800000 : f32, 7 : i32] : tile<2x4xf32>, tile<2x4xi32> -> tile<2x4xf32>, tile<2x4xi32> (%u: tile<f32>, %uacc: tile<f32>, %v: tile<i32>, %vacc: tile<i32>) {
      yield %uacc, %vacc : tile<f32>, tile<i32>
    }
    return
  }
}
