// test: flatten
// Of more than three dimensions all but the last two are numbered through along `x`.

cuda_tile.module @m {
  entry @k(%n: tile<i64>, %f: tile<f32>, %p: tile<ptr<f32>>) {
    %zero = constant <i64: 0> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %two = constant <i64: 2> : tile<i64>
    %nine = constant <i64: 9> : tile<i64>
    loop.parallel unsigned (%a, %b, %c, %d, %e) = (%zero, %one, %zero, %zero, %zero) to (%n, %nine, %n, %n, %n) step (%one, %two, %one, %one, %one) {
      %s = addi %a, %c : tile<i64>
      %t = addi %s, %b : tile<i64>
      %q = offset %p, %t : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
      %stored = store_ptr_tko weak %q, %f : tile<ptr<f32>>, tile<f32> -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i64>, %f: tile<f32>, %p: tile<ptr<f32>>) {
    %zero = constant <i64: 0> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %two = constant <i64: 2> : tile<i64>
    %nine = constant <i64: 9> : tile<i64>
    %0, %1, %2 = get_tile_block_id : tile<i32>
    %3, %4, %5 = get_num_tile_blocks : tile<i32>
    %6 = constant <i64: 1> : tile<i64>
    %7 = constant <i64: 4> : tile<i64>
    %8 = muli %n, %7 : tile<i64>
    %9 = muli %8, %n : tile<i64>
    %10 = exti %0 unsigned : tile<i32> -> tile<i64>
    %11 = exti %3 unsigned : tile<i32> -> tile<i64>
    %12 = exti %1 unsigned : tile<i32> -> tile<i64>
    %13 = exti %4 unsigned : tile<i32> -> tile<i64>
    %14 = exti %2 unsigned : tile<i32> -> tile<i64>
    %15 = exti %5 unsigned : tile<i32> -> tile<i64>
    %16 = constant <i64: 0> : tile<i64>
    %17 = subi %9, %10 : tile<i64>
    %18 = constant <i64: 1> : tile<i64>
    %19 = subi %17, %18 : tile<i64>
    %20 = divi %19, %11 unsigned : tile<i64>
    %21 = addi %20, %18 : tile<i64>
    %22 = cmpi less_than %10, %9, unsigned : tile<i64> -> tile<i1>
    %23 = constant <i64: 0> : tile<i64>
    %24 = select %22, %21, %23 : tile<i1>, tile<i64>
    %25 = constant <i64: 1> : tile<i64>
    %26 = constant <i64: 0> : tile<i64>
    %27 = subi %n, %12 : tile<i64>
    %28 = constant <i64: 1> : tile<i64>
    %29 = subi %27, %28 : tile<i64>
    %30 = divi %29, %13 unsigned : tile<i64>
    %31 = addi %30, %28 : tile<i64>
    %32 = cmpi less_than %12, %n, unsigned : tile<i64> -> tile<i1>
    %33 = constant <i64: 0> : tile<i64>
    %34 = select %32, %31, %33 : tile<i1>, tile<i64>
    %35 = constant <i64: 1> : tile<i64>
    %36 = constant <i64: 0> : tile<i64>
    %37 = subi %n, %14 : tile<i64>
    %38 = constant <i64: 1> : tile<i64>
    %39 = subi %37, %38 : tile<i64>
    %40 = divi %39, %15 unsigned : tile<i64>
    %41 = addi %40, %38 : tile<i64>
    %42 = cmpi less_than %14, %n, unsigned : tile<i64> -> tile<i1>
    %43 = constant <i64: 0> : tile<i64>
    %44 = select %42, %41, %43 : tile<i1>, tile<i64>
    %45 = constant <i64: 1> : tile<i64>
    for unsigned %46 in (%16 to %24, step %25) : tile<i64> {
      %47 = muli %46, %11 : tile<i64>
      %48 = addi %10, %47 : tile<i64>
      for unsigned %49 in (%26 to %34, step %35) : tile<i64> {
        %50 = muli %49, %13 : tile<i64>
        %d = addi %12, %50 : tile<i64>
        for unsigned %51 in (%36 to %44, step %45) : tile<i64> {
          %52 = muli %51, %15 : tile<i64>
          %e = addi %14, %52 : tile<i64>
          %c = remi %48, %n unsigned : tile<i64>
          %53 = divi %48, %n unsigned : tile<i64>
          %54 = remi %53, %7 unsigned : tile<i64>
          %a = divi %53, %7 unsigned : tile<i64>
          %55 = muli %54, %two : tile<i64>
          %b = addi %one, %55 : tile<i64>
          %s = addi %a, %c : tile<i64>
          %t = addi %s, %b : tile<i64>
          %q = offset %p, %t : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
          %stored = store_ptr_tko weak %q, %f : tile<ptr<f32>>, tile<f32> -> token
        }
      }
    }
    return
  }
}
// EntryPlan { name: "k", grid: Some(GridPlan { axes: [[Trips { scalar: I64, signedness: Unsigned, lower: Constant(0), upper: Parameter(0), step: Constant(1) }, Trips { scalar: I64, signedness: Unsigned, lower: Constant(1), upper: Constant(9), step: Constant(2) }, Trips { scalar: I64, signedness: Unsigned, lower: Constant(0), upper: Parameter(0), step: Constant(1) }], [Trips { scalar: I64, signedness: Unsigned, lower: Constant(0), upper: Parameter(0), step: Constant(1) }], [Trips { scalar: I64, signedness: Unsigned, lower: Constant(0), upper: Parameter(0), step: Constant(1) }]] }), buffers: [], atomics: [] }
