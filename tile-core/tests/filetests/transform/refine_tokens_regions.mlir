// test: opt --passes=refine-tokens
// What a loop carries or a branch yields is after everything in there. A load in a branch
// need not wait for a load before it, and the store after the branch waits for both.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>) {
    %one = constant <i32: 1> : tile<i32>
    %q = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = make_token : token
    %r = for %i in (%one to %n, step %one) : tile<i32> iter_values(%u = %t) -> (token) {
      %x, %t0 = load_ptr_tko weak %p token=%u : tile<ptr<i32>> -> tile<i32>, token
      %y, %t1 = load_ptr_tko weak %q token=%t0 : tile<ptr<i32>> -> tile<i32>, token
      %t2 = if %c -> (token) {
        %z, %t3 = load_ptr_tko weak %p token=%t1 : tile<ptr<i32>> -> tile<i32>, token
        %t4 = store_ptr_tko weak %p, %z token=%t3 : tile<ptr<i32>>, tile<i32> -> token
        yield %t4 : token
      } else {
        %t5 = store_ptr_tko weak %q, %y token=%t1 : tile<ptr<i32>>, tile<i32> -> token
        yield %t5 : token
      }
      %t6 = store_ptr_tko weak %p, %x token=%t2 : tile<ptr<i32>>, tile<i32> -> token
      %t7 = store_ptr_tko weak %q, %x token=%t6 : tile<ptr<i32>>, tile<i32> -> token
      continue %t7 : token
    }
    %t8 = store_ptr_tko weak %q, %one token=%r : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>) {
    %one = constant <i32: 1> : tile<i32>
    %q = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = make_token : token
    %r = for %i in (%one to %n, step %one) : tile<i32> iter_values(%u = %t) -> (token) {
      %x, %t0 = load_ptr_tko weak %p token=%u : tile<ptr<i32>> -> tile<i32>, token
      %y, %t1 = load_ptr_tko weak %q token=%u : tile<ptr<i32>> -> tile<i32>, token
      %t2 = if %c -> (token) {
        %z, %t3 = load_ptr_tko weak %p token=%u : tile<ptr<i32>> -> tile<i32>, token
        %0 = join_tokens %t0, %t3 : token
        %t4 = store_ptr_tko weak %p, %z token=%0 : tile<ptr<i32>>, tile<i32> -> token
        %1 = join_tokens %t1, %t4 : token
        yield %1 : token
      } else {
        %t5 = store_ptr_tko weak %q, %y token=%t1 : tile<ptr<i32>>, tile<i32> -> token
        %2 = join_tokens %t0, %t5 : token
        yield %2 : token
      }
      %t6 = store_ptr_tko weak %p, %x token=%t2 : tile<ptr<i32>>, tile<i32> -> token
      %t7 = store_ptr_tko weak %q, %x token=%t2 : tile<ptr<i32>>, tile<i32> -> token
      %3 = join_tokens %t6, %t7 : token
      continue %3 : token
    }
    %t8 = store_ptr_tko weak %q, %one token=%r : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
// rewrites:
//   12 independent_access
//   14 independent_access
//   15 independent_access
//   16 join_independent
//   19 join_independent
//   22 independent_access
//   23 join_independent
