// test: opt --passes=licm
// The first can be computed in any case. In the second the sum promises not to wrap, and
// nothing leaves its body; the third uses the counter inside of it.

cuda_tile.module @m {
  testing$func @f(%a: tile<4x8xi32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %x = reduce %a dim=1 identities=[0 : i32] : tile<4x8xi32> -> tile<4xi32>
      (%e: tile<i32>, %acc: tile<i32>) {
        %two = constant <i32: 2> : tile<i32>
        %d = muli %e, %two : tile<i32>
        %sum = addi %acc, %d : tile<i32>
        yield %sum : tile<i32>
      }
      %y = reduce %a dim=0 identities=[0 : i32] : tile<4x8xi32> -> tile<8xi32>
      (%e: tile<i32>, %acc: tile<i32>) {
        %sum = addi %acc, %e overflow<no_signed_wrap> : tile<i32>
        yield %sum : tile<i32>
      }
      %z = reduce %a dim=0 identities=[0 : i32] : tile<4x8xi32> -> tile<8xi32>
      (%e: tile<i32>, %acc: tile<i32>) {
        %d = muli %e, %i : tile<i32>
        %sum = addi %acc, %d : tile<i32>
        yield %sum : tile<i32>
      }
      print_tko "%d %d %d", %x, %y, %z : tile<4xi32>, tile<8xi32>, tile<8xi32> -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<4x8xi32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x = reduce %a dim=1 identities=[0 : i32] : tile<4x8xi32> -> tile<4xi32> (%e: tile<i32>, %acc: tile<i32>) {
      %two = constant <i32: 2> : tile<i32>
      %d = muli %e, %two : tile<i32>
      %sum = addi %acc, %d : tile<i32>
      yield %sum : tile<i32>
    }
    for %i in (%zero to %n, step %one) : tile<i32> {
      %y = reduce %a dim=0 identities=[0 : i32] : tile<4x8xi32> -> tile<8xi32> (%e: tile<i32>, %acc: tile<i32>) {
        %sum = addi %acc, %e overflow<no_signed_wrap> : tile<i32>
        yield %sum : tile<i32>
      }
      %z = reduce %a dim=0 identities=[0 : i32] : tile<4x8xi32> -> tile<8xi32> (%e: tile<i32>, %acc: tile<i32>) {
        %d = muli %e, %i : tile<i32>
        %sum = addi %acc, %d : tile<i32>
        yield %sum : tile<i32>
      }
      %0 = print_tko "%d %d %d", %x, %y, %z : tile<4xi32>, tile<8xi32>, tile<8xi32> -> token
    }
    return
  }
}
// rewrites:
//   10 hoist
