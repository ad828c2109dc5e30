// test: flatten
// Results of an outermost loop: each block stores its own, and the last one to finish
// combines them in order and goes on behind the loop.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %four = iota : tile<4xi32>
    %sum, %most = loop.parallel (%i, %j) = (%zero, %zero) to (%n, %n) step (%one, %one) init (%seven, %four) -> (tile<i32>, tile<4xi32>) {
      loop.reduce(%i) {
      ^bb0(%lhs: tile<i32>, %rhs: tile<i32>):
        %s = addi %lhs, %rhs : tile<i32>
        loop.reduce.return %s : tile<i32>
      } : tile<i32>
      loop.reduce(%four) {
      ^bb0(%lhs: tile<4xi32>, %rhs: tile<4xi32>):
        %s = subi %lhs, %rhs : tile<4xi32>
        loop.reduce.return %s : tile<4xi32>
      } : tile<4xi32>
    }
    %stored = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<i32>>, %arrivals: tile<ptr<i64>>, %partials: tile<ptr<i32>>, %0: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %four = iota : tile<4xi32>
    %1, %2, %3 = get_tile_block_id : tile<i32>
    %4, %5, %6 = get_num_tile_blocks : tile<i32>
    %7 = cmpi less_than %zero, %n, signed : tile<i32> -> tile<i1>
    %8 = constant <i32: 0> : tile<i32>
    %9 = select %7, %n, %8 : tile<i1>, tile<i32>
    %10 = cmpi less_than %zero, %n, signed : tile<i32> -> tile<i1>
    %11 = constant <i32: 0> : tile<i32>
    %12 = select %10, %n, %11 : tile<i1>, tile<i32>
    %13 = constant <i32: 0> : tile<i32>
    %14 = constant <i32: 0> : tile<4xi32>
    %15 = constant <i1: false> : tile<i1>
    %16 = constant <i32: 0> : tile<i32>
    %17 = cmpi equal %3, %16, unsigned : tile<i32> -> tile<i1>
    %18 = constant <i32: 0> : tile<i32>
    %19 = select %17, %9, %18 : tile<i1>, tile<i32>
    %20 = constant <i32: 0> : tile<i32>
    %21 = subi %19, %1 : tile<i32>
    %22 = constant <i32: 1> : tile<i32>
    %23 = subi %21, %22 : tile<i32>
    %24 = divi %23, %4 unsigned : tile<i32>
    %25 = addi %24, %22 : tile<i32>
    %26 = cmpi less_than %1, %19, unsigned : tile<i32> -> tile<i1>
    %27 = constant <i32: 0> : tile<i32>
    %28 = select %26, %25, %27 : tile<i1>, tile<i32>
    %29 = constant <i32: 1> : tile<i32>
    %30 = constant <i32: 0> : tile<i32>
    %31 = subi %12, %2 : tile<i32>
    %32 = constant <i32: 1> : tile<i32>
    %33 = subi %31, %32 : tile<i32>
    %34 = divi %33, %5 unsigned : tile<i32>
    %35 = addi %34, %32 : tile<i32>
    %36 = cmpi less_than %2, %12, unsigned : tile<i32> -> tile<i1>
    %37 = constant <i32: 0> : tile<i32>
    %38 = select %36, %35, %37 : tile<i1>, tile<i32>
    %39 = constant <i32: 1> : tile<i32>
    %40, %41, %42 = for unsigned %43 in (%20 to %28, step %29) : tile<i32> iter_values(%44 = %13, %45 = %14, %46 = %15) -> (tile<i32>, tile<4xi32>, tile<i1>) {
      %47 = muli %43, %4 : tile<i32>
      %i = addi %1, %47 : tile<i32>
      %48, %49, %50 = for unsigned %51 in (%30 to %38, step %39) : tile<i32> iter_values(%52 = %44, %53 = %45, %54 = %46) -> (tile<i32>, tile<4xi32>, tile<i1>) {
        %55 = muli %51, %5 : tile<i32>
        %j = addi %2, %55 : tile<i32>
        %s = addi %52, %i : tile<i32>
        %56 = if %54 -> (tile<4xi32>) {
          %57 = subi %53, %four : tile<4xi32>
          yield %57 : tile<4xi32>
        } else {
          yield %four : tile<4xi32>
        }
        %58 = constant <i1: true> : tile<i1>
        continue %s, %56, %58 : tile<i32>, tile<4xi32>, tile<i1>
      }
      continue %48, %49, %50 : tile<i32>, tile<4xi32>, tile<i1>
    }
    %59 = exti %1 unsigned : tile<i32> -> tile<i64>
    %60 = exti %2 unsigned : tile<i32> -> tile<i64>
    %61 = exti %3 unsigned : tile<i32> -> tile<i64>
    %62 = exti %4 unsigned : tile<i32> -> tile<i64>
    %63 = exti %5 unsigned : tile<i32> -> tile<i64>
    %64 = exti %6 unsigned : tile<i32> -> tile<i64>
    %65 = muli %61, %63 : tile<i64>
    %66 = addi %65, %60 : tile<i64>
    %67 = muli %66, %62 : tile<i64>
    %68 = addi %67, %59 : tile<i64>
    %69 = constant <i64: 1> : tile<i64>
    %70 = offset %partials, %68 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
    %71 = store_ptr_tko weak %70, %40 : tile<ptr<i32>>, tile<i32> -> token
    %72 = constant <i64: 4> : tile<i64>
    %73 = muli %68, %72 : tile<i64>
    %74 = reshape %0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %75 = broadcast %74 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %76 = reshape %73 : tile<i64> -> tile<1xi64>
    %77 = broadcast %76 : tile<1xi64> -> tile<4xi64>
    %78 = iota : tile<4xi64>
    %79 = addi %77, %78 : tile<4xi64>
    %80 = offset %75, %79 : tile<4xptr<i32>>, tile<4xi64> -> tile<4xptr<i32>>
    %81 = store_ptr_tko weak %80, %41 : tile<4xptr<i32>>, tile<4xi32> -> token
    %82 = join_tokens %71, %81 : token
    %83 = constant <i64: 1> : tile<i64>
    %84, %85 = atomic_rmw_tko acq_rel device %arrivals, add, %83 token=%82 : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
    %86 = exti %4 unsigned : tile<i32> -> tile<i64>
    %87 = exti %5 unsigned : tile<i32> -> tile<i64>
    %88 = exti %6 unsigned : tile<i32> -> tile<i64>
    %89 = muli %86, %87 : tile<i64>
    %90 = muli %89, %88 : tile<i64>
    %91 = subi %90, %83 : tile<i64>
    %92 = cmpi equal %84, %91, unsigned : tile<i64> -> tile<i1>
    if %92 {
      %93 = constant <i64: 0> : tile<i64>
      %94 = store_ptr_tko weak %arrivals, %93 token=%85 : tile<ptr<i64>>, tile<i64> -> token
      %95 = constant <i64: 0> : tile<i64>
      %96 = constant <i64: 1> : tile<i64>
      %97 = exti %9 unsigned : tile<i32> -> tile<i64>
      %98 = exti %4 unsigned : tile<i32> -> tile<i64>
      %99 = mini %97, %98 unsigned : tile<i64>
      %100 = exti %12 unsigned : tile<i32> -> tile<i64>
      %101 = exti %5 unsigned : tile<i32> -> tile<i64>
      %102 = mini %100, %101 unsigned : tile<i64>
      %103 = constant <i64: 1> : tile<i64>
      %sum, %most = for unsigned %104 in (%95 to %103, step %96) : tile<i64> iter_values(%105 = %seven, %106 = %four) -> (tile<i32>, tile<4xi32>) {
        %107, %108 = for unsigned %109 in (%95 to %102, step %96) : tile<i64> iter_values(%110 = %105, %111 = %106) -> (tile<i32>, tile<4xi32>) {
          %112, %113 = for unsigned %114 in (%95 to %99, step %96) : tile<i64> iter_values(%115 = %110, %116 = %111) -> (tile<i32>, tile<4xi32>) {
            %117 = exti %4 unsigned : tile<i32> -> tile<i64>
            %118 = exti %5 unsigned : tile<i32> -> tile<i64>
            %119 = exti %6 unsigned : tile<i32> -> tile<i64>
            %120 = muli %104, %118 : tile<i64>
            %121 = addi %120, %109 : tile<i64>
            %122 = muli %121, %117 : tile<i64>
            %123 = addi %122, %114 : tile<i64>
            %124 = constant <i64: 1> : tile<i64>
            %125 = offset %partials, %123 : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
            %126, %127 = load_ptr_tko weak %125 token=%85 : tile<ptr<i32>> -> tile<i32>, token
            %s = addi %115, %126 : tile<i32>
            %128 = constant <i64: 4> : tile<i64>
            %129 = muli %123, %128 : tile<i64>
            %130 = reshape %0 : tile<ptr<i32>> -> tile<1xptr<i32>>
            %131 = broadcast %130 : tile<1xptr<i32>> -> tile<4xptr<i32>>
            %132 = reshape %129 : tile<i64> -> tile<1xi64>
            %133 = broadcast %132 : tile<1xi64> -> tile<4xi64>
            %134 = iota : tile<4xi64>
            %135 = addi %133, %134 : tile<4xi64>
            %136 = offset %131, %135 : tile<4xptr<i32>>, tile<4xi64> -> tile<4xptr<i32>>
            %137, %138 = load_ptr_tko weak %136 token=%85 : tile<4xptr<i32>> -> tile<4xi32>, token
            %139 = subi %116, %137 : tile<4xi32>
            continue %s, %139 : tile<i32>, tile<4xi32>
          }
          continue %112, %113 : tile<i32>, tile<4xi32>
        }
        continue %107, %108 : tile<i32>, tile<4xi32>
      }
      %stored = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
    }
    return
  }
}
// EntryPlan { name: "k", grid: Some(GridPlan { axes: [[Trips { scalar: I32, signedness: Signed, lower: Constant(0), upper: Parameter(0), step: Constant(1) }], [Trips { scalar: I32, signedness: Signed, lower: Constant(0), upper: Parameter(0), step: Constant(1) }], []] }), buffers: [Buffer { element: I64, elements: Fixed(1), zeroed: true }, Buffer { element: I32, elements: PerBlock(1), zeroed: false }, Buffer { element: I32, elements: PerBlock(4), zeroed: false }], atomics: [] }
