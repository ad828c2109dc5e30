// test: opt --passes=canonicalize-full
// A branch does not serve the other branch, nor what follows; what precedes serves both.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %o = addi %n, %n : tile<i32>
    if %c {
      %a = muli %n, %n : tile<i32>
      %a1 = assume div_by<4>, %a : tile<i32>
      %p0 = addi %n, %n : tile<i32>
      %p1 = assume div_by<4>, %p0 : tile<i32>
    } else {
      %b = muli %n, %n : tile<i32>
      %b1 = assume div_by<4>, %b : tile<i32>
    }
    %d = muli %n, %n : tile<i32>
    %d1 = assume div_by<4>, %d : tile<i32>
    %d2 = assume div_by<4>, %o : tile<i32>
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %o = addi %n, %n : tile<i32>
    if %c {
      %a = muli %n, %n : tile<i32>
      %a1 = assume div_by<4>, %a : tile<i32>
      %p1 = assume div_by<4>, %o : tile<i32>
    } else {
      %b = muli %n, %n : tile<i32>
      %b1 = assume div_by<4>, %b : tile<i32>
    }
    %d = muli %n, %n : tile<i32>
    %d1 = assume div_by<4>, %d : tile<i32>
    %d2 = assume div_by<4>, %o : tile<i32>
    return
  }
}
// rewrites:
//   10 common_subexpression
