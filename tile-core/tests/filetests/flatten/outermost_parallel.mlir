// test: flatten
// The first `loop.parallel` of an entry is shared out over the grid, whatever the grid.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %st: tile<i32>, %f: tile<f32>, %p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    loop.parallel (%i) = (%zero) to (%n) step (%st) {
      %q = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %stored = store_ptr_tko weak %q, %f : tile<ptr<f32>>, tile<f32> -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %st: tile<i32>, %f: tile<f32>, %p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %0, %1, %2 = get_tile_block_id : tile<i32>
    %3, %4, %5 = get_num_tile_blocks : tile<i32>
    %6 = constant <i32: 1> : tile<i32>
    %7 = subi %n, %6 : tile<i32>
    %8 = divi %7, %st unsigned : tile<i32>
    %9 = addi %8, %6 : tile<i32>
    %10 = cmpi less_than %zero, %n, signed : tile<i32> -> tile<i1>
    %11 = constant <i32: 0> : tile<i32>
    %12 = select %10, %9, %11 : tile<i1>, tile<i32>
    %13 = ori %1, %2 : tile<i32>
    %14 = constant <i32: 0> : tile<i32>
    %15 = cmpi equal %13, %14, unsigned : tile<i32> -> tile<i1>
    %16 = constant <i32: 0> : tile<i32>
    %17 = select %15, %12, %16 : tile<i1>, tile<i32>
    %18 = constant <i32: 0> : tile<i32>
    %19 = subi %17, %0 : tile<i32>
    %20 = constant <i32: 1> : tile<i32>
    %21 = subi %19, %20 : tile<i32>
    %22 = divi %21, %3 unsigned : tile<i32>
    %23 = addi %22, %20 : tile<i32>
    %24 = cmpi less_than %0, %17, unsigned : tile<i32> -> tile<i1>
    %25 = constant <i32: 0> : tile<i32>
    %26 = select %24, %23, %25 : tile<i1>, tile<i32>
    %27 = constant <i32: 1> : tile<i32>
    for unsigned %28 in (%18 to %26, step %27) : tile<i32> {
      %29 = muli %28, %3 : tile<i32>
      %30 = addi %0, %29 : tile<i32>
      %i = muli %30, %st : tile<i32>
      %q = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %stored = store_ptr_tko weak %q, %f : tile<ptr<f32>>, tile<f32> -> token
    }
    return
  }
}
// EntryPlan { name: "k", grid: Some(GridPlan { axes: [[Trips { scalar: I32, signedness: Signed, lower: Constant(0), upper: Parameter(0), step: Parameter(1) }], [], []] }), buffers: [], atomics: [] }
