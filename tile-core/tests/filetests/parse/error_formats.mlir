// test: parse
// Assembly that lacks a part or has one too many.

cuda_tile.module @m {
  entry @k(%f: tile<f32>, %n: tile<i32>, %c: tile<i1>, %t: token, %p: tile<ptr<f32>>, %v: partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>>, %x: tile<2x2xf32>) {
    %a0 = cat %x, %x : tile<2x2xf32>, tile<2x2xf32> -> tile<4x2xf32> // error[T0103]: expected `dim`, found `:`
    %a1 = cat %x, %x dim = 9223372036854775808 : tile<2x2xf32>, tile<2x2xf32> -> tile<4x2xf32> // error[T0212]: `9223372036854775808` does not fit 64 bits
    %a2 = extract %x : tile<2x2xf32> -> tile<2x2xf32> // error[T0103]: expected `[`, found `:`
    %a3 = extract %x[%n, %n : tile<2x2xf32> -> tile<2x2xf32> // error[T0103]: expected `]`, found `:`
    %a4 = insert %x[%n, %n] : tile<2x2xf32>, tile<2x2xf32> // error[T0103]: expected `,`, found `[`
    %a5 = get_global "name" : tile<ptr<f32>> // error[T0103]: expected a symbol, found `"name"`
    %a6 = alloca num_elem = 4 : tile<ptr<f32>> // error[T0103]: expected `,`, found `:`
    %a7 = alloca num_elem = 4, alignment = %n : tile<ptr<f32>> // error[T0103]: expected an integer, found `%n`
    %a8 = ftoi %f saturating : tile<f32> -> tile<i32> // error[T0103]: expected `unsigned` or `signed`, found `saturating`
    %a9 = mmai %x, %x, %x signed : tile<2x2xf32>, tile<2x2xf32>, tile<2x2xf32> // error[T0103]: expected `unsigned` or `signed`, found `:`
    %b0 = scan %x dim=0 identities=[0.0 : f32] : tile<2x2xf32> -> tile<2x2xf32> (%i: tile<f32>, %j: tile<f32>) { // error[T0103]: expected `reverse`, found `identities`
    }
    %b1 = scan %x dim=0 reverse=1 identities=[0.0 : f32] : tile<2x2xf32> -> tile<2x2xf32> (%i: tile<f32>, %j: tile<f32>) { // error[T0103]: expected `false` or `true`, found `1`
    }
    %b2 = reduce %x dim=0 identities=[x] : tile<2x2xf32> -> tile<2xf32> (%i: tile<f32>, %j: tile<f32>) { // error[T0103]: expected `false` or `true`, found `x`
    }
    %b3, %t0 = load_ptr_tko weak %p, %c : tile<ptr<f32>> -> tile<f32>, token // error[T0103]: expected `,`, found `->`
    %b4, %t1 = load_ptr_tko weak %p : tile<ptr<f32>>, tile<i1> -> tile<f32>, token // error[T0103]: expected `->`, found `,`
    %b5, %t2 = load_ptr_tko weak %p, token=%t : tile<ptr<f32>> -> tile<f32>, token // error[T0103]: expected a value, found `token`
    %b6, %t3 = load_ptr_tko weak %p -> tile<f32>, token // error[T0103]: expected `:`, found `->`
    %t4 = store_ptr_tko weak %p : tile<ptr<f32>> -> token // error[T0103]: expected `,`, found `:`
    %b7, %t5 = load_view_tko weak %v[%n, %n] : partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>>, tile<i32>, tile<i32>, tile<i32> -> tile<2x2xf32>, token // error[T0103]: expected 1 or 2 types, found 3
    %b8, %t6 = load_view_tko weak %v[%n, %n] : partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>> -> tile<2x2xf32>, token // error[T0103]: expected `,`, found `->`
    %b9, %t7 = load_view_tko weak %v[%n, %n] inbounds = [true, 1] : partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>>, tile<i32> -> tile<2x2xf32>, token // error[T0103]: expected `false` or `true`, found `1`
    %t8 = gdc_wait_tko token %t -> token // error[T0103]: expected `=`, found `%t`
    %t9 = memory_fence_alias_tko
    print_tko "%d" %n : tile<i32> -> token // error[T0103]: expected a value, found `print_tko`
// error[T0103]: expected `->`, found `%n`
    print_tko %n : tile<i32> -> token // error[T0103]: expected a string, found `%n`
    assert %c : tile<i1> // error[T0103]: expected `,`, found `:`
    assert %c, "message"
    loop iter_values(%i = %n) { // error[T0103]: expected `:`, found `loop`
// error[T0103]: expected `:`, found `{`
    }
    loop iter_values(%i = %n) : tile<i32>, tile<i32> { // error[T0103]: expected 1 types, found 2
    }
    loop -> tile<i32> { // error[T0103]: expected `{`, found `->`
    }
    break %n, %n : tile<i32> // error[T0103]: expected 2 types, found 1
    %c0 = fpowi %f, %n : tile<f32>
    %c1 = mmaf_scaled %x, %x, %x : tile<2x2xf32>, tile<2x2xf32>, tile<2x2xf32> // error[T0103]: expected `,`, found `%c1`
// error[T0103]: expected `,`, found `:`
  }
}
