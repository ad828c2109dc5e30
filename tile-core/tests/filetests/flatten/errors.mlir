// test: flatten
// What cannot be flattened.

cuda_tile.module @m {
  entry @before(%c: tile<i1>, %n: tile<i32>, %p: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token // error[T0403]: `store_ptr_tko` before a loop that is distributed over the grid
    if %c {
      %a, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token // error[T0403]: `load_ptr_tko` before a loop that is distributed over the grid and stores
    }
    %x, %y, %z = get_tile_block_id : tile<i32> // error[T0403]: `get_tile_block_id` in an entry whose loop is distributed over the grid
    loop.parallel (%i) = (%one) to (%n) step (%one) {
      %q = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %s = store_ptr_tko weak %q, %i : tile<ptr<i32>>, tile<i32> -> token
      %w, %h, %d = get_num_tile_blocks : tile<i32> // error[T0403]: `get_num_tile_blocks` in an entry whose loop is distributed over the grid
    }
    return
  }
  entry @carried(%c: tile<i1>, %n: tile<i32>, %v: tensor_view<f32>) {
    %one = constant <i32: 1> : tile<i32>
    %r = loop.for %i = %one to %n step %one iter_args(%a = %v) -> (tensor_view<f32>) { // error[T0403]: `loop.for` carries `tensor_view<f32>`
      loop.yield %a : tensor_view<f32>
    }
    %s = loop.if %c -> (tensor_view<f32>) { // error[T0403]: `loop.if` carries `tensor_view<f32>`
      loop.yield %v : tensor_view<f32>
    } else {
      loop.yield %v : tensor_view<f32>
    }
    return
  }
  entry @across(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %r = loop.parallel (%i) = (%one) to (%n) step (%one) -> (tile<ptr<i32>>) { // error[T0403]: a result of type `tile<ptr<i32>>` across blocks
      loop.reduce(%p) {
      ^bb0(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>):
        loop.reduce.return %b : tile<ptr<i32>>
      } : tile<ptr<i32>>
    }
    %s = store_ptr_tko weak %r, %n : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
