// test: verify
// Operands, axis, results, identities, and a pure body.

cuda_tile.module @m {
  entry @k() {
    %f32_2x4 = constant <f32: 1.0> : tile<2x4xf32>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i32_8 = constant <i32: 1> : tile<8xi32>
    %r0 = reduce %f32_2x4 dim=0 identities=[0.0 : f32] : tile<2x4xf32> -> tile<4xf32> (%x: tile<f32>, %y: tile<f32>) {
      yield %x : tile<f32>
    }
    %r1 = reduce %f32_2x4 dim=1 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32> (%x: tile<f32>, %y: tile<f32>) {
      yield %x : tile<f32>
    }
    %r2 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) {
      yield %x : tile<f32>
    }
    %r3 = reduce %f32_2x4 dim=2 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected an axis below 2, found 2
      yield %x : tile<f32>
    }
    %r4 = reduce %f32_s dim=0 identities=[0.0 : f32] : tile<f32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected an axis below 0, found 0
      yield %x : tile<f32>
    }
    %r5 = reduce %f32_2x4 dim=0 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0303]: expected results (tile<4xf32>), found (tile<2xf32>)
      yield %x : tile<f32>
    }
    %r6 = reduce %f32_2x4 dim=0 identities=[0.0 : f32] : tile<2x4xf32> -> tile<4xf64> (%x: tile<f32>, %y: tile<f32>) { // error[T0303]: expected results (tile<4xf32>), found (tile<4xf64>)
      yield %x : tile<f32>
    }
    %r7 = reduce %f32_2x4 dim=0 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2x4xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0303]: expected results (tile<4xf32>), found (tile<2x4xf32>)
      yield %x : tile<f32>
    }
    %r8 = reduce %f32_2x4 dim=0 identities=[0.0 : f32] : tile<2x4xf32> -> tile<1x4xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0303]: expected results (tile<4xf32>), found (tile<1x4xf32>)
      yield %x : tile<f32>
    }
    %r9 = reduce %f32_2x4 dim=0 identities=[0.0 : f64] : tile<2x4xf32> -> tile<4xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected identities of (f32), found (f64)
      yield %x : tile<f32>
    }
    %r10 = reduce %f32_2x4 dim=0 identities=[] : tile<2x4xf32> -> tile<4xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected identities of (f32), found ()
      yield %x : tile<f32>
    }
    %r11 = reduce %f32_2x4 dim=0 identities=[0.0 : f32, 0.0 : f32] : tile<2x4xf32> -> tile<4xf32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected identities of (f32), found (f32, f32)
      yield %x : tile<f32>
    }
    %r12 = reduce %f16 dim=0 identities=[0.0 : bf16] : tile<4xf16> -> tile<f16> (%x: tile<f16>, %y: tile<f16>) {
      yield %x : tile<f16>
    }
    %r13 = reduce %bf16 dim=0 identities=[0.0 : f16] : tile<4xbf16> -> tile<bf16> (%x: tile<bf16>, %y: tile<bf16>) {
      yield %x : tile<bf16>
    }
    %r14 = reduce %f16 dim=0 identities=[0.0 : f32] : tile<4xf16> -> tile<f16> (%x: tile<f16>, %y: tile<f16>) { // error[T0302]: expected identities of (f16), found (f32)
      yield %x : tile<f16>
    }
    %r15 = reduce %f16 dim=0 identities=[0 : i16] : tile<4xf16> -> tile<f16> (%x: tile<f16>, %y: tile<f16>) { // error[T0302]: expected identities of (f16), found (i16)
      yield %x : tile<f16>
    }
    %r16 = reduce %f32 dim=0 identities=[0.0 : bf16] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) { // error[T0302]: expected identities of (f32), found (bf16)
      yield %x : tile<f32>
    }
    %r17 = reduce %p_f32 dim=0 identities=[0.0 : f32] : tile<4xptr<f32>> -> tile<ptr<f32>> (%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) { // error[T0302]: expected identities of (ptr<f32>), found (f32)
      yield %x : tile<ptr<f32>>
    }
    %r18 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>), found (tile<f32>)
      yield %x : tile<f32>
    }
    %r19 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>, %z: tile<f32>) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>), found (tile<f32>, tile<f32>, tile<f32>)
      yield %x : tile<f32>
    }
    %r20 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f64>) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>), found (tile<f32>, tile<f64>)
      yield %x : tile<f32>
    }
    %r21 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<4xf32>, %y: tile<f32>) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>), found (tile<4xf32>, tile<f32>)
      yield %y : tile<f32>
    }
    %r22 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: token) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>), found (tile<f32>, token)
      yield %x : tile<f32>
    }
    %r23 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) {
      yield // error[T0301]: expected to yield (tile<f32>), found ()
    }
    %r24 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) {
      yield %x, %y : tile<f32>, tile<f32> // error[T0301]: expected to yield (tile<f32>), found (tile<f32>, tile<f32>)
    }
    %r25 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) {
      %h = ftof %x : tile<f32> -> tile<f16>
      yield %h : tile<f16> // error[T0301]: expected to yield (tile<f32>), found (tile<f16>)
    }
    %r26 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) {
      yield %f32 : tile<4xf32> // error[T0301]: expected to yield (tile<f32>), found (tile<4xf32>)
    }
    %r27 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %d = addi %x, %y : tile<i32>
      %e = remi %d, %y signed : tile<i32>
      %o = constant <i32: 1> : tile<i32>
      yield %x : tile<i32>
    }
    %r28 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %d = divi %x, %y signed : tile<i32> // error[T0304]: expected pure operations inside `reduce`, found `divi`
      yield %x : tile<i32>
    }
    %r29 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %d = assume div_by<2>, %x : tile<i32> // error[T0304]: expected pure operations inside `reduce`, found `assume`
      yield %x : tile<i32>
    }
    %r30 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %c = constant <i1: true> : tile<i1>
      if %c { // error[T0304]: expected pure operations inside `reduce`, found `if`
      }
      yield %x : tile<i32>
    }
    %r31 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      for %q in (%x to %y, step %y) : tile<i32> { // error[T0304]: expected pure operations inside `reduce`, found `for`
      }
      yield %x : tile<i32>
    }
    %r32 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      loop { // error[T0304]: expected pure operations inside `reduce`, found `loop`
        break
      }
      yield %x : tile<i32>
    }
    %r33 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %t = print_tko "x" -> token // error[T0304]: expected pure operations inside `reduce`, found `print_tko`
      yield %x : tile<i32>
    }
    %r34 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %p = alloca num_elem = 1, alignment = 4 : tile<ptr<f32>> // error[T0304]: expected pure operations inside `reduce`, found `alloca`
      yield %x : tile<i32>
    }
    %r35 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %t = make_token : token
      yield %x : tile<i32>
    }
    %r36 = reduce %i32 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %i = iota : tile<4xi32>
      %r = reduce %i dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%u: tile<i32>, %v: tile<i32>) { // error[T0304]: expected pure operations inside `reduce`, found `reduce`
        yield %u : tile<i32>
      }
      yield %x : tile<i32>
    }
    %r37, %r38 = reduce %f32, %i32 dim=0 identities=[0.0 : f32, 0 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) {
      yield %x, %u : tile<f32>, tile<i32>
    }
    %r39, %r40 = reduce %f32, %i32 dim=0 identities=[0 : i32, 0.0 : f32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) { // error[T0302]: expected identities of (f32, i32), found (i32, f32)
      yield %x, %u : tile<f32>, tile<i32>
    }
    %r41, %r42 = reduce %f32, %i32 dim=0 identities=[0.0 : f32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) { // error[T0302]: expected identities of (f32, i32), found (f32)
      yield %x, %u : tile<f32>, tile<i32>
    }
    %r43, %r44 = reduce %f32, %i32 dim=0 identities=[0.0 : f32, 0 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32> (%x: tile<f32>, %u: tile<i32>, %y: tile<f32>, %v: tile<i32>) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>, tile<i32>, tile<i32>), found (tile<f32>, tile<i32>, tile<f32>, tile<i32>)
      yield %x, %u : tile<f32>, tile<i32>
    }
    %r45, %r46 = reduce %f32, %i32 dim=0 identities=[0.0 : f32, 0 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) {
      yield %u, %x : tile<i32>, tile<f32> // error[T0301]: expected to yield (tile<f32>, tile<i32>), found (tile<i32>, tile<f32>)
    }
    %r47, %r48 = reduce %f32, %i32 dim=0 identities=[0.0 : f32, 0 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) {
      yield %x : tile<f32> // error[T0301]: expected to yield (tile<f32>, tile<i32>), found (tile<f32>)
    }
    %r49, %r50 = reduce %f32, %i32_8 dim=0 identities=[0.0 : f32, 0 : i32] : tile<4xf32>, tile<8xi32> -> tile<f32>, tile<i32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) { // error[T0301]: expected `operands` of shape `(4)`, found `(8)`
      yield %x, %u : tile<f32>, tile<i32>
    }
    %r51 = reduce %f32, %i32 dim=0 identities=[0.0 : f32, 0 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) { // error[T0303]: expected results (tile<f32>, tile<i32>), found (tile<f32>)
      yield %x, %u : tile<f32>, tile<i32>
    }
    %r52 = reduce %f32 dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) {
      continue // error[T0304]: `continue` is inside `reduce`
    }
    %r53, %r54 = reduce %f32, %i32 dim=0 identities=[0.0 : f32, 0 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<8xi32> (%x: tile<f32>, %y: tile<f32>, %u: tile<i32>, %v: tile<i32>) { // error[T0303]: expected results (tile<f32>, tile<i32>), found (tile<f32>, tile<8xi32>)
      yield %x, %u : tile<f32>, tile<i32>
    }
    %r60, %r61 = reduce %f32, %f32 dim=0 identities=[0.0 : f32, 0.0 : f32] : tile<4xf32>, tile<4xf32> -> tile<f32>, tile<f32> (%x: tile<f32>) { // error[T0304]: expected body arguments (tile<f32>, tile<f32>, tile<f32>, tile<f32>), found (tile<f32>)
      yield %x, %x : tile<f32>, tile<f32>
    }
    return
  }
}
