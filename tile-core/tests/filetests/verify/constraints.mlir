// test: verify
// What slots admit.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %e: tile<2xf8E5M2>, %x: tile<f32>) { // error[T0304]: expected a rank-0 tile, found `tile<2xf8E5M2>`
    %i = constant <i32: 7> : tile<4xi32>
    %j = constant <i32: 7> : tile<8xi32>
    %l = constant <i64: 7> : tile<4xi64>
    %f = constant <f32: 1.5> : tile<4xf32>
    %g = constant <f64: 1.5> : tile<4xf64>
    %h = constant <f16: 1.5> : tile<4xf16>
    %s = constant <i32: 7> : tile<i32>
    %c = constant <i1: true> : tile<i1>
    %t = make_token : token
    %n4 = trunci %i : tile<4xi32> -> tile<4xi4>
    %r0 = addi %f, %f : tile<4xf32> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
// error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r1 = addf %i, %i : tile<4xi32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
    %r2 = exp %t : token // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `token`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `token`
    %r3 = select %i, %i, %i : tile<4xi32>, tile<4xi32> // error[T0301]: expected `cond` to be a tile of i1, found `tile<4xi32>`
    %r4 = addi %n4, %n4 : tile<4xi4> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
// error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r5 = itof %n4 signed : tile<4xi4> -> tile<4xf32> // error[T0301]: expected `from` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r6 = bitcast %n4 : tile<4xi4> -> tile<4xi4> // error[T0301]: expected `source` to be a tile of numbers other than i4, found `tile<4xi4>`
// error[T0303]: expected `result` to be a tile of numbers other than i4, found `tile<4xi4>`
    %r7 = ftoi %i signed : tile<4xi32> -> tile<4xi32> // error[T0301]: expected `from` to be a tile of floats, found `tile<4xi32>`
    %r8 = cmpf equal ordered %f, %f : tile<4xf32> -> tile<4xi8> // error[T0303]: expected `result` to be a tile of i1, found `tile<4xi8>`
    %r9 = mmai %i, %i, %l signed signed : tile<4xi32>, tile<4xi32>, tile<4xi64> // error[T0301]: expected `lhs` to be a tile of i8, found `tile<4xi32>`
// error[T0301]: expected `rhs` to be a tile of i8, found `tile<4xi32>`
// error[T0301]: expected `acc` to be a tile of i32, found `tile<4xi64>`
// error[T0303]: expected `result` to be a tile of i32, found `tile<4xi64>`
    %ra = mmaf %i, %i, %i : tile<4xi32>, tile<4xi32>, tile<4xi32> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<4xi32>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2, found `tile<4xi32>`
// error[T0301]: expected `acc` to be a tile of f16, f32 or f64, found `tile<4xi32>`
// error[T0303]: expected `result` to be a tile of f16, f32 or f64, found `tile<4xi32>`
    %rb, %rc, %rd = get_tile_block_id : tile<i64> // error[T0303]: expected `blockId_x` to be a rank-0 tile of i32, found `tile<i64>`
// error[T0303]: expected `blockId_y` to be a rank-0 tile of i32, found `tile<i64>`
// error[T0303]: expected `blockId_z` to be a rank-0 tile of i32, found `tile<i64>`
    %re = join_tokens %i, %t : token // error[T0301]: expected `tokens` to be a token, found `tile<4xi32>`
    %rf = make_token : tile<i32> // error[T0303]: expected `result` to be a token, found `tile<i32>`
    %rg = iota : tile<4xf32> // error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %rh = reshape %p : tile<ptr<f32>> -> token // error[T0303]: expected `result` to be a tile, found `token`
    %ri = addf %e, %e : tile<2xf8E5M2> // error[T0301]: expected `lhs` to be a tile of f16, bf16, f32 or f64, found `tile<2xf8E5M2>`
// error[T0301]: expected `rhs` to be a tile of f16, bf16, f32 or f64, found `tile<2xf8E5M2>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<2xf8E5M2>`
    %v = make_tensor_view %s, shape = [], strides = [] : tensor_view<i32> // error[T0301]: expected `base` to be a rank-0 tile of pointers, found `tile<i32>`
    %w = make_partition_view %i : tensor_view<4xi32, strides=[1]> // error[T0301]: expected `tensor_view` to be a tensor view, found `tile<4xi32>`
// error[T0303]: expected `result` to be a partition view, found `tensor_view<4xi32, strides=[1]>`
    %c4 = constant <i1: true> : tile<4xi1>
    if %c4 { // error[T0301]: expected `condition` to be a rank-0 tile of i1, found `tile<4xi1>`
    }
    if %s { // error[T0301]: expected `condition` to be a rank-0 tile of i1, found `tile<i32>`
    }
    if %c {
    }
    if %i { // error[T0301]: expected `condition` to be a rank-0 tile of i1, found `tile<4xi32>`
    }
    for %q in (%i to %i, step %i) : tile<4xi32> { // error[T0301]: expected `lowerBound` to be a rank-0 tile of integers, found `tile<4xi32>`
// error[T0301]: expected `upperBound` to be a rank-0 tile of integers, found `tile<4xi32>`
// error[T0301]: expected `step` to be a rank-0 tile of integers, found `tile<4xi32>`
    }
    for %q in (%x to %x, step %x) : tile<f32> { // error[T0301]: expected `lowerBound` to be a rank-0 tile of integers, found `tile<f32>`
// error[T0301]: expected `upperBound` to be a rank-0 tile of integers, found `tile<f32>`
// error[T0301]: expected `step` to be a rank-0 tile of integers, found `tile<f32>`
    }
    return
  }
}
