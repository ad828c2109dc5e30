// test: opt --passes=canonicalize
// Where the outer else gives what nobody may look at, the inner else is as good.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %d: tile<i1>, %x: tile<2x4xi32>, %y: tile<2x4xi32>) -> tile<2x4xi32> {
    %poison = "ub.poison"() : () -> !cuda_tile.tile<2x4xi32>
    %0 = if %c -> (tile<2x4xi32>) {
      %2 = if %d -> (tile<2x4xi32>) {
        %v = muli %x, %y : tile<2x4xi32>
        yield %v : tile<2x4xi32>
      } else {
        yield %x : tile<2x4xi32>
      }
      yield %2 : tile<2x4xi32>
    } else {
      yield %poison : tile<2x4xi32>
    }
    return %0 : tile<2x4xi32>
  }
  testing$func @one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i32>, %y: tile<i32>) -> tile<i32> {
    %other = "other.value"() : () -> !cuda_tile.tile<i32>
    %0 = if %c -> (tile<i32>) {
      %2 = if %d -> (tile<i32>) {
        %v = muli %x, %y : tile<i32>
        yield %v : tile<i32>
      } else {
        yield %x : tile<i32>
      }
      yield %2 : tile<i32>
    } else {
      yield %other : tile<i32>
    }
    return %0 : tile<i32>
  }
  testing$func @inner_else_does_something(%c: tile<i1>, %d: tile<i1>, %x: tile<i32>, %y: tile<i32>) -> tile<i32> {
    %poison = "ub.poison"() : () -> !cuda_tile.tile<i32>
    %0 = if %c -> (tile<i32>) {
      %2 = if %d -> (tile<i32>) {
        %v = muli %x, %y : tile<i32>
        yield %v : tile<i32>
      } else {
        %p = print_tko "else" -> token
        yield %x : tile<i32>
      }
      yield %2 : tile<i32>
    } else {
      yield %poison : tile<i32>
    }
    return %0 : tile<i32>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %d: tile<i1>, %x: tile<2x4xi32>, %y: tile<2x4xi32>) -> tile<2x4xi32> {
    %poison = "ub.poison"() : () -> !cuda_tile.tile<2x4xi32>
    %0 = andi %c, %d : tile<i1>
    %1 = if %0 -> (tile<2x4xi32>) {
      %v = muli %x, %y : tile<2x4xi32>
      yield %v : tile<2x4xi32>
    } else {
      yield %x : tile<2x4xi32>
    }
    return %1 : tile<2x4xi32>
  }
  testing$func @one_short(%c: tile<i1>, %d: tile<i1>, %x: tile<i32>, %y: tile<i32>) -> tile<i32> {
    %other = "other.value"() : () -> !cuda_tile.tile<i32>
    %0 = if %c -> (tile<i32>) {
      %1 = if %d -> (tile<i32>) {
        %v = muli %x, %y : tile<i32>
        yield %v : tile<i32>
      } else {
        yield %x : tile<i32>
      }
      yield %1 : tile<i32>
    } else {
      yield %other : tile<i32>
    }
    return %0 : tile<i32>
  }
  testing$func @inner_else_does_something(%c: tile<i1>, %d: tile<i1>, %x: tile<i32>, %y: tile<i32>) -> tile<i32> {
    %poison = "ub.poison"() : () -> !cuda_tile.tile<i32>
    %0 = if %c -> (tile<i32>) {
      %1 = if %d -> (tile<i32>) {
        %v = muli %x, %y : tile<i32>
        yield %v : tile<i32>
      } else {
        %p = print_tko "else" -> token
        yield %x : tile<i32>
      }
      yield %1 : tile<i32>
    } else {
      yield %poison : tile<i32>
    }
    return %0 : tile<i32>
  }
}
// rewrites:
//    7 if_combine_nested_poison
