// test: opt --passes=canonicalize
// What the branches give but do not compute is chosen by a select; if one exits, nothing is chosen.

cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>) -> tile<i32> {
    %0 = if %c -> (tile<i32>) {
      yield %a : tile<i32>
    } else {
      yield %b : tile<i32>
    }
    return %0 : tile<i32>
  }
  testing$func @rank_2(%c: tile<i1>, %a: tile<2x4xf32>, %b: tile<2x4xf32>, %p: tile<1x1xptr<f32>>, %q: tile<1x1xptr<f32>>) -> (tile<2x4xf32>, tile<1x1xptr<f32>>) {
    %0, %1 = if %c -> (tile<2x4xf32>, tile<1x1xptr<f32>>) {
      yield %a, %p : tile<2x4xf32>, tile<1x1xptr<f32>>
    } else {
      yield %b, %q : tile<2x4xf32>, tile<1x1xptr<f32>>
    }
    return %0, %1 : tile<2x4xf32>, tile<1x1xptr<f32>>
  }
  testing$func @in_part(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>) -> (tile<i32>, tile<i32>) {
    %0, %1 = if %c -> (tile<i32>, tile<i32>) {
      %x = addi %a, %b : tile<i32>
      yield %a, %x : tile<i32>, tile<i32>
    } else {
      yield %b, %a : tile<i32>, tile<i32>
    }
    return %0, %1 : tile<i32>, tile<i32>
  }
  testing$func @one_branch_exits(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>, %n: tile<i32>) -> tile<i32> {
    %r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%s = %a) -> (tile<i32>) {
      %0 = if %c -> (tile<i32>) {
        continue %a : tile<i32>
      } else {
        yield %b : tile<i32>
      }
      %1 = addi %0, %s : tile<i32>
      continue %1 : tile<i32>
    }
    return %r : tile<i32>
  }
  testing$func @a_token_among_them(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>, %s: token, %t: token) -> (tile<i32>, token) {
    %0, %1 = if %c -> (tile<i32>, token) {
      yield %a, %s : tile<i32>, token
    } else {
      yield %b, %t : tile<i32>, token
    }
    return %0, %1 : tile<i32>, token
  }
  testing$func @four_bit_floats_cannot_be_chosen(%c: tile<i1>, %a: tile<2xf4E2M1FN>, %b: tile<2xf4E2M1FN>) -> tile<2xf4E2M1FN> {
    %0 = if %c -> (tile<2xf4E2M1FN>) {
      yield %a : tile<2xf4E2M1FN>
    } else {
      yield %b : tile<2xf4E2M1FN>
    }
    return %0 : tile<2xf4E2M1FN>
  }
}
// output:
cuda_tile.module @m {
  testing$func @fires(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>) -> tile<i32> {
    %0 = select %c, %a, %b : tile<i1>, tile<i32>
    return %0 : tile<i32>
  }
  testing$func @rank_2(%c: tile<i1>, %a: tile<2x4xf32>, %b: tile<2x4xf32>, %p: tile<1x1xptr<f32>>, %q: tile<1x1xptr<f32>>) -> (tile<2x4xf32>, tile<1x1xptr<f32>>) {
    %0 = reshape %c : tile<i1> -> tile<1x1xi1>
    %1 = broadcast %0 : tile<1x1xi1> -> tile<2x4xi1>
    %2 = select %1, %a, %b : tile<2x4xi1>, tile<2x4xf32>
    %3 = reshape %c : tile<i1> -> tile<1x1xi1>
    %4 = select %3, %p, %q : tile<1x1xi1>, tile<1x1xptr<f32>>
    return %2, %4 : tile<2x4xf32>, tile<1x1xptr<f32>>
  }
  testing$func @in_part(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>) -> (tile<i32>, tile<i32>) {
    %0 = select %c, %a, %b : tile<i1>, tile<i32>
    %1 = if %c -> (tile<i32>) {
      %x = addi %a, %b : tile<i32>
      yield %x : tile<i32>
    } else {
      yield %a : tile<i32>
    }
    return %0, %1 : tile<i32>, tile<i32>
  }
  testing$func @one_branch_exits(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>, %n: tile<i32>) -> tile<i32> {
    %r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%s = %a) -> (tile<i32>) {
      if %c {
        continue %a : tile<i32>
      }
      %0 = addi %b, %s : tile<i32>
      continue %0 : tile<i32>
    }
    return %r : tile<i32>
  }
  testing$func @a_token_among_them(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>, %s: token, %t: token) -> (tile<i32>, token) {
    %0, %1 = if %c -> (tile<i32>, token) {
      yield %a, %s : tile<i32>, token
    } else {
      yield %b, %t : tile<i32>, token
    }
    return %0, %1 : tile<i32>, token
  }
  testing$func @four_bit_floats_cannot_be_chosen(%c: tile<i1>, %a: tile<2xf4E2M1FN>, %b: tile<2xf4E2M1FN>) -> tile<2xf4E2M1FN> {
    %0 = if %c -> (tile<2xf4E2M1FN>) {
      yield %a : tile<2xf4E2M1FN>
    } else {
      yield %b : tile<2xf4E2M1FN>
    }
    return %0 : tile<2xf4E2M1FN>
  }
}
// rewrites:
//    6 if_convert_to_select
//    6 dead_code
//   14 if_convert_to_select
//   14 dead_code
//   22 if_convert_to_select
//   32 if_convert_to_select
//   32 if_remove_empty_else_branch
