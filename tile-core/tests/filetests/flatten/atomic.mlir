// test: flatten --atomic
// A result that is only stored can be combined by atomic operations, if there is one that
// does what the body does.

cuda_tile.module @m {
  entry @by_atomics(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %most = loop.parallel (%i) = (%zero) to (%n) step (%one) init (%five) -> (tile<i32>) {
      loop.reduce(%i) {
      ^bb0(%lhs: tile<i32>, %rhs: tile<i32>):
        %m = maxi %lhs, %rhs signed : tile<i32>
        loop.reduce.return %m : tile<i32>
      } : tile<i32>
    }
    %q = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %stored = store_ptr_tko weak %q, %most : tile<ptr<i32>>, tile<i32> -> token
    return
  }
  entry @in_two_phases(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %product = loop.parallel (%i) = (%zero) to (%n) step (%one) -> (tile<i32>) {
      loop.reduce(%i) {
      ^bb0(%lhs: tile<i32>, %rhs: tile<i32>):
        %m = muli %lhs, %rhs : tile<i32>
        loop.reduce.return %m : tile<i32>
      } : tile<i32>
    }
    %stored = store_ptr_tko weak %p, %product : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @by_atomics(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %0, %1, %2 = get_tile_block_id : tile<i32>
    %3, %4, %5 = get_num_tile_blocks : tile<i32>
    %6 = cmpi less_than %zero, %n, signed : tile<i32> -> tile<i1>
    %7 = constant <i32: 0> : tile<i32>
    %8 = select %6, %n, %7 : tile<i1>, tile<i32>
    %9 = constant <i32: -2147483648> : tile<i32>
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
    %25 = for unsigned %26 in (%15 to %23, step %24) : tile<i32> iter_values(%27 = %9) -> (tile<i32>) {
      %28 = muli %26, %3 : tile<i32>
      %i = addi %0, %28 : tile<i32>
      %m = maxi %27, %i signed : tile<i32>
      continue %m : tile<i32>
    }
    %q = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %29, %stored = atomic_rmw_tko relaxed device %q, max, %25 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }
  entry @in_two_phases(%n: tile<i32>, %p: tile<ptr<i32>>, %arrivals: tile<ptr<i64>>, %partials: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %0, %1, %2 = get_tile_block_id : tile<i32>
    %3, %4, %5 = get_num_tile_blocks : tile<i32>
    %6 = cmpi less_than %zero, %n, signed : tile<i32> -> tile<i1>
    %7 = constant <i32: 0> : tile<i32>
    %8 = select %6, %n, %7 : tile<i1>, tile<i32>
    %9 = constant <i32: 1> : tile<i32>
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
    %25 = for unsigned %26 in (%15 to %23, step %24) : tile<i32> iter_values(%27 = %9) -> (tile<i32>) {
      %28 = muli %26, %3 : tile<i32>
      %i = addi %0, %28 : tile<i32>
      %m = muli %27, %i : tile<i32>
      continue %m : tile<i32>
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
    %40 = offset %partials, %38 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
    %41 = store_ptr_tko weak %40, %25 : tile<ptr<i32>>, tile<i32> -> token
    %42 = constant <i64: 1> : tile<i64>
    %43, %44 = atomic_rmw_tko acq_rel device %arrivals, add, %42 token=%41 : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
    %45 = exti %3 unsigned : tile<i32> -> tile<i64>
    %46 = exti %4 unsigned : tile<i32> -> tile<i64>
    %47 = exti %5 unsigned : tile<i32> -> tile<i64>
    %48 = muli %45, %46 : tile<i64>
    %49 = muli %48, %47 : tile<i64>
    %50 = subi %49, %42 : tile<i64>
    %51 = cmpi equal %43, %50, unsigned : tile<i64> -> tile<i1>
    if %51 {
      %52 = constant <i64: 0> : tile<i64>
      %53 = store_ptr_tko weak %arrivals, %52 token=%44 : tile<ptr<i64>>, tile<i64> -> token
      %54 = constant <i32: 1> : tile<i32>
      %55 = constant <i64: 0> : tile<i64>
      %56 = constant <i64: 1> : tile<i64>
      %57 = exti %8 unsigned : tile<i32> -> tile<i64>
      %58 = exti %3 unsigned : tile<i32> -> tile<i64>
      %59 = mini %57, %58 unsigned : tile<i64>
      %60 = constant <i64: 1> : tile<i64>
      %61 = constant <i64: 1> : tile<i64>
      %product = for unsigned %62 in (%55 to %61, step %56) : tile<i64> iter_values(%63 = %54) -> (tile<i32>) {
        %64 = for unsigned %65 in (%55 to %60, step %56) : tile<i64> iter_values(%66 = %63) -> (tile<i32>) {
          %67 = for unsigned %68 in (%55 to %59, step %56) : tile<i64> iter_values(%69 = %66) -> (tile<i32>) {
            %70 = exti %3 unsigned : tile<i32> -> tile<i64>
            %71 = exti %4 unsigned : tile<i32> -> tile<i64>
            %72 = exti %5 unsigned : tile<i32> -> tile<i64>
            %73 = muli %62, %71 : tile<i64>
            %74 = addi %73, %65 : tile<i64>
            %75 = muli %74, %70 : tile<i64>
            %76 = addi %75, %68 : tile<i64>
            %77 = constant <i64: 1> : tile<i64>
            %78 = offset %partials, %76 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
            %79, %80 = load_ptr_tko weak %78 token=%44 : tile<ptr<i32>> -> tile<i32>, token
            %m = muli %69, %79 : tile<i32>
            continue %m : tile<i32>
          }
          continue %67 : tile<i32>
        }
        continue %64 : tile<i32>
      }
      %stored = store_ptr_tko weak %p, %product : tile<ptr<i32>>, tile<i32> -> token
    }
    return
  }
}
// EntryPlan { name: "by_atomics", grid: Some(GridPlan { axes: [[Trips { scalar: I32, signedness: Signed, lower: Constant(0), upper: Parameter(0), step: Constant(1) }], [], []] }), buffers: [], atomics: [AtomicTarget { parameter: Some(1), element: I32, bits: 5 }] }
// EntryPlan { name: "in_two_phases", grid: Some(GridPlan { axes: [[Trips { scalar: I32, signedness: Signed, lower: Constant(0), upper: Parameter(0), step: Constant(1) }], [], []] }), buffers: [Buffer { element: I64, elements: Fixed(1), zeroed: true }, Buffer { element: I32, elements: PerBlock(1), zeroed: false }], atomics: [] }
