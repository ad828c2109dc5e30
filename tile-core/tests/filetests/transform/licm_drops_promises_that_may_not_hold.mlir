// test: opt --passes=licm
// A loop that may run no time at all: the sum loses its promise. One that runs at least
// once: it keeps it, unless it stands in an `if`.

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %n: tile<i32>, %p: tile<i1>) -> tile<i32> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %b = addi %a, %one overflow<no_signed_wrap> : tile<i32>
      %c = addi %b, %s : tile<i32>
      continue %c : tile<i32>
    }
    %q = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%s = %r) -> (tile<i32>) {
      %b = addi %a, %two overflow<no_signed_wrap> : tile<i32>
      %c = addi %b, %s : tile<i32>
      continue %c : tile<i32>
    }
    %t = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%s = %q) -> (tile<i32>) {
      %d = if %p -> (tile<i32>) {
        %b = muli %a, %two overflow<no_wrap> : tile<i32>
        yield %b : tile<i32>
      } else {
        yield %s : tile<i32>
      }
      continue %d : tile<i32>
    }
    return %t : tile<i32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %n: tile<i32>, %p: tile<i1>) -> tile<i32> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %b = addi %a, %one : tile<i32>
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %c = addi %b, %s : tile<i32>
      continue %c : tile<i32>
    }
    %0 = addi %a, %two overflow<no_signed_wrap> : tile<i32>
    %q = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%s = %r) -> (tile<i32>) {
      %c = addi %0, %s : tile<i32>
      continue %c : tile<i32>
    }
    %1 = muli %a, %two : tile<i32>
    %t = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%s = %q) -> (tile<i32>) {
      %d = if %p -> (tile<i32>) {
        yield %1 : tile<i32>
      } else {
        yield %s : tile<i32>
      }
      continue %d : tile<i32>
    }
    return %t : tile<i32>
  }
}
// rewrites:
//   11 drop_overflow
//   11 hoist
//   16 hoist
//   22 drop_overflow
//   22 hoist
