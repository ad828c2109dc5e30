// test: verify
// An argument per conversion of the format.

cuda_tile.module @m {
  entry @k() {
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i32_2x4 = constant <i32: 1> : tile<2x4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %t = make_token : token
    %r0 = print_tko "" -> token
    %r1 = print_tko "", %f32_s : tile<f32> -> token // error[T0301]: expected 0 arguments for "", found 1
    %r2 = print_tko "no conversion" -> token
    %r3 = print_tko "%d", %f32_s : tile<f32> -> token
    %r4 = print_tko "%d" -> token // error[T0301]: expected 1 arguments for "%d", found 0
    %r5 = print_tko "%d", %f32_s, %f32_s : tile<f32>, tile<f32> -> token // error[T0301]: expected 1 arguments for "%d", found 2
    %r6 = print_tko "%%" -> token
    %r7 = print_tko "%%", %f32_s : tile<f32> -> token // error[T0301]: expected 0 arguments for "%%", found 1
    %r8 = print_tko "%%%d", %f32_s : tile<f32> -> token
    %r9 = print_tko "%%%%" -> token
    %r10 = print_tko "%d%%", %f32_s : tile<f32> -> token
    %r11 = print_tko "%d%d", %f32_s, %f32_s : tile<f32>, tile<f32> -> token
    %r12 = print_tko "%" -> token // error[T0302]: unterminated format expression in "%"
    %r13 = print_tko "%", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%"
    %r14 = print_tko "%5", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%5"
    %r15 = print_tko "%y", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%y"
    %r16 = print_tko "%5.2f, %-+#0 5.3lld", %f32_s, %f32_s : tile<f32>, tile<f32> -> token
    %r17 = print_tko "%*d", %f32_s : tile<f32> -> token
    %r18 = print_tko "100% sure", %f32_s : tile<f32> -> token
    %r19 = print_tko "100% sure" -> token // error[T0301]: expected 1 arguments for "100% sure", found 0
    %r20 = print_tko "%B%d", %f32_s, %f32_s : tile<f32>, tile<f32> -> token
    %r21 = print_tko "%B%d", %f32_s : tile<f32> -> token // error[T0301]: expected 2 arguments for "%B%d", found 1
    %r22 = print_tko "%5%" -> token // error[T0302]: unterminated format expression in "%5%"
    %r23 = print_tko "%5%", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%5%"
    %r24 = print_tko "%5%%", %f32_s : tile<f32> -> token
    %r25 = print_tko "%5%%" -> token // error[T0301]: expected 1 arguments for "%5%%", found 0
    %r26 = print_tko "%d", %f32_s : tile<f32> -> token
    %r27 = print_tko "%i", %f32_s : tile<f32> -> token
    %r28 = print_tko "%u", %f32_s : tile<f32> -> token
    %r29 = print_tko "%o", %f32_s : tile<f32> -> token
    %r30 = print_tko "%x", %f32_s : tile<f32> -> token
    %r31 = print_tko "%X", %f32_s : tile<f32> -> token
    %r32 = print_tko "%e", %f32_s : tile<f32> -> token
    %r33 = print_tko "%E", %f32_s : tile<f32> -> token
    %r34 = print_tko "%f", %f32_s : tile<f32> -> token
    %r35 = print_tko "%F", %f32_s : tile<f32> -> token
    %r36 = print_tko "%g", %f32_s : tile<f32> -> token
    %r37 = print_tko "%G", %f32_s : tile<f32> -> token
    %r38 = print_tko "%a", %f32_s : tile<f32> -> token
    %r39 = print_tko "%A", %f32_s : tile<f32> -> token
    %r40 = print_tko "%c", %f32_s : tile<f32> -> token
    %r41 = print_tko "%s", %f32_s : tile<f32> -> token
    %r42 = print_tko "%S", %f32_s : tile<f32> -> token
    %r43 = print_tko "%p", %f32_s : tile<f32> -> token
    %r44 = print_tko "%n", %f32_s : tile<f32> -> token
    %r45 = print_tko "%b", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%b"
    %r46 = print_tko "%D", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%D"
    %r47 = print_tko "%C", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%C"
    %r48 = print_tko "%v", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%v"
    %r49 = print_tko "%z", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%z"
    %r50 = print_tko "%Z", %f32_s : tile<f32> -> token // error[T0302]: unterminated format expression in "%Z"
    %r51 = print_tko "%d %d", %i32_2x4, %p_f32 token=%t : tile<2x4xi32>, tile<4xptr<f32>> -> token
    %r52 = print_tko "%d", %t : token -> token // error[T0301]: expected `args` to be a tile, found `token`
    %r53 = print_tko "%d", %f32_s token=%f32_s : tile<f32> -> token // error[T0301]: expected `token` to be a token, found `tile<f32>`
    return
  }
}
