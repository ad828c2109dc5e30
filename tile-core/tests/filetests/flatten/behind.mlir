// test: flatten
// A second loop runs in the last block, which is said; a loop without effects behind the
// outermost one is for nobody.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %done = loop.parallel (%i) = (%zero) to (%n) step (%one) -> (token) {
      %q = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %q, %i : tile<ptr<i32>>, tile<i32> -> token
      loop.reduce(%t) {
      ^bb0(%a: token, %b: token):
        %both = join_tokens %a, %b : token
        loop.reduce.return %both : token
      } : token
    }
    loop.parallel (%i) = (%one) to (%n) step (%one) { // remark[T0403]: this loop runs in one block
      %q = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %q, %one token=%done : tile<ptr<i32>>, tile<i32> -> token
    }
    loop.for %i = %one to %n step %one {
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<i32>>, %arrivals: tile<ptr<i64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %0, %1, %2 = get_tile_block_id : tile<i32>
    %3, %4, %5 = get_num_tile_blocks : tile<i32>
    %6 = cmpi less_than %zero, %n, signed : tile<i32> -> tile<i1>
    %7 = constant <i32: 0> : tile<i32>
    %8 = select %6, %n, %7 : tile<i1>, tile<i32>
    %9 = make_token : token
    %10 = ori %1, %2 : tile<i32>
    %11 = constant <i32: 0> : tile<i32>
    %12 = cmpi equal %10, %11, unsigned : tile<i32> -> tile<i1>
    %13 = constant <i32: 0> : tile<i32>
    %14 = select %12, %8, %13 : tile<i1>, tile<i32>
    %15 = constant <i32: 0> : tile<i32>
    %16 = subi %14, %0 : tile<i32>
    %17 = constant <i32: 1> : tile<i32>
    %18 = subi %16, %17 : tile<i32>
    %19 = divi %18, %3 unsigned : tile<i32>
    %20 = addi %19, %17 : tile<i32>
    %21 = cmpi less_than %0, %14, unsigned : tile<i32> -> tile<i1>
    %22 = constant <i32: 0> : tile<i32>
    %23 = select %21, %20, %22 : tile<i1>, tile<i32>
    %24 = constant <i32: 1> : tile<i32>
    %25 = for unsigned %26 in (%15 to %23, step %24) : tile<i32> iter_values(%27 = %9) -> (token) {
      %28 = muli %26, %3 : tile<i32>
      %i = addi %0, %28 : tile<i32>
      %q = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %q, %i : tile<ptr<i32>>, tile<i32> -> token
      %both = join_tokens %27, %t : token
      continue %both : token
    }
    %29 = exti %0 unsigned : tile<i32> -> tile<i64>
    %30 = exti %1 unsigned : tile<i32> -> tile<i64>
    %31 = exti %2 unsigned : tile<i32> -> tile<i64>
    %32 = exti %3 unsigned : tile<i32> -> tile<i64>
    %33 = exti %4 unsigned : tile<i32> -> tile<i64>
    %34 = exti %5 unsigned : tile<i32> -> tile<i64>
    %35 = muli %31, %33 : tile<i64>
    %36 = addi %35, %30 : tile<i64>
    %37 = muli %36, %32 : tile<i64>
    %38 = addi %37, %29 : tile<i64>
    %39 = constant <i64: 1> : tile<i64>
    %40, %41 = atomic_rmw_tko acq_rel device %arrivals, add, %39 token=%25 : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
    %42 = exti %3 unsigned : tile<i32> -> tile<i64>
    %43 = exti %4 unsigned : tile<i32> -> tile<i64>
    %44 = exti %5 unsigned : tile<i32> -> tile<i64>
    %45 = muli %42, %43 : tile<i64>
    %46 = muli %45, %44 : tile<i64>
    %47 = subi %46, %39 : tile<i64>
    %48 = cmpi equal %40, %47, unsigned : tile<i64> -> tile<i1>
    if %48 {
      %49 = constant <i64: 0> : tile<i64>
      %50 = store_ptr_tko weak %arrivals, %49 token=%41 : tile<ptr<i64>>, tile<i64> -> token
      for %i in (%one to %n, step %one) : tile<i32> {
        %q = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %t = store_ptr_tko weak %q, %one token=%41 : tile<ptr<i32>>, tile<i32> -> token
      }
      for %i in (%one to %n, step %one) : tile<i32> {
      }
    }
    return
  }
}
// EntryPlan { name: "k", grid: Some(GridPlan { axes: [[Trips { scalar: I32, signedness: Signed, lower: Constant(0), upper: Parameter(0), step: Constant(1) }], [], []] }), buffers: [Buffer { element: I64, elements: Fixed(1), zeroed: true }], atomics: [] }
