// test: flatten --sequential
// On request outermost loops are sequential too: the entry says what one block does.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %id, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = loop.parallel (%i) = (%id) to (%n) step (%one) -> (tile<i32>) {
      loop.reduce(%i) {
      ^bb0(%lhs: tile<i32>, %rhs: tile<i32>):
        %s = addi %lhs, %rhs : tile<i32>
        loop.reduce.return %s : tile<i32>
      } : tile<i32>
    }
    %stored = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %id, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %sum = for %i in (%id to %n, step %one) : tile<i32> iter_values(%1 = %0) -> (tile<i32>) {
      %s = addi %1, %i : tile<i32>
      continue %s : tile<i32>
    }
    %stored = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
// EntryPlan { name: "k", grid: None, buffers: [], atomics: [] }
