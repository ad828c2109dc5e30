// test: flatten
// A `loop.parallel` inside of another operation is sequential. Without initial values its
// results start from the neutral element, or from the first value if there is none.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %f: tile<f32>, %p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    loop.for %t = %zero to %n step %one {
      %a, %b, %c = loop.parallel (%i, %j) = (%zero, %zero) to (%n, %n) step (%one, %one) -> (tile<i32>, tile<f32>, token) {
        %q = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %stored = store_ptr_tko weak %q, %f : tile<ptr<f32>>, tile<f32> -> token
        loop.reduce(%j) {
        ^bb0(%lhs: tile<i32>, %rhs: tile<i32>):
          %m = maxi %lhs, %rhs signed : tile<i32>
          loop.reduce.return %m : tile<i32>
        } : tile<i32>
        loop.reduce(%f) {
        ^bb0(%lhs: tile<f32>, %rhs: tile<f32>):
          %m = maxf %lhs, %rhs : tile<f32>
          loop.reduce.return %m : tile<f32>
        } : tile<f32>
        loop.reduce(%stored) {
        ^bb0(%lhs: token, %rhs: token):
          %both = join_tokens %lhs, %rhs : token
          loop.reduce.return %both : token
        } : token
      }
      %r = loop.parallel (%i) = (%zero) to (%n) step (%one) init (%b) -> (tile<f32>) {
        loop.reduce(%f) {
        ^bb0(%lhs: tile<f32>, %rhs: tile<f32>):
          %m = maxf %lhs, %rhs : tile<f32>
          loop.reduce.return %m : tile<f32>
        } : tile<f32>
      }
      %s = store_ptr_tko weak %p, %r token=%c : tile<ptr<f32>>, tile<f32> -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %f: tile<f32>, %p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %t in (%zero to %n, step %one) : tile<i32> {
      %0 = constant <i32: -2147483648> : tile<i32>
      %1 = constant <f32: 0.000000e+00> : tile<f32>
      %2 = constant <i1: false> : tile<i1>
      %3 = make_token : token
      %a, %b, %4, %c = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%5 = %0, %6 = %1, %7 = %2, %8 = %3) -> (tile<i32>, tile<f32>, tile<i1>, token) {
        %9, %10, %11, %12 = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%13 = %5, %14 = %6, %15 = %7, %16 = %8) -> (tile<i32>, tile<f32>, tile<i1>, token) {
          %q = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
          %stored = store_ptr_tko weak %q, %f : tile<ptr<f32>>, tile<f32> -> token
          %m = maxi %13, %j signed : tile<i32>
          %17 = if %15 -> (tile<f32>) {
            %18 = maxf %14, %f : tile<f32>
            yield %18 : tile<f32>
          } else {
            yield %f : tile<f32>
          }
          %19 = constant <i1: true> : tile<i1>
          %both = join_tokens %16, %stored : token
          continue %m, %17, %19, %both : tile<i32>, tile<f32>, tile<i1>, token
        }
        continue %9, %10, %11, %12 : tile<i32>, tile<f32>, tile<i1>, token
      }
      %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%20 = %b) -> (tile<f32>) {
        %m = maxf %20, %f : tile<f32>
        continue %m : tile<f32>
      }
      %s = store_ptr_tko weak %p, %r token=%c : tile<ptr<f32>>, tile<f32> -> token
    }
    return
  }
}
// EntryPlan { name: "k", grid: None, buffers: [], atomics: [] }
