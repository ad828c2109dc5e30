// test: flatten
// `loop.for` is `for` where the number behind the last one is of its type: with a step of
// one, and where bound and step are known. Otherwise the loop counts its trips.

cuda_tile.module @m {
  entry @k(%lb: tile<i32>, %ub: tile<i32>, %st: tile<i32>, %f: tile<f32>) {
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %end = constant <i32: 1000> : tile<i32>
    %high = constant <i32: 2147483645> : tile<i32>
    loop.for %i = %lb to %ub step %one {
    }
    loop.for unsigned %i = %lb to %end step %four {
    }
    %r = loop.for %i = %lb to %ub step %st iter_args(%a = %f) -> (tile<f32>) {
      %g = addf %a, %a : tile<f32>
      loop.yield %g : tile<f32>
    }
    loop.for %i = %lb to %high step %four {
    }
    loop.for %i = %one to %high step %four {
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%lb: tile<i32>, %ub: tile<i32>, %st: tile<i32>, %f: tile<f32>) {
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %end = constant <i32: 1000> : tile<i32>
    %high = constant <i32: 2147483645> : tile<i32>
    for %i in (%lb to %ub, step %one) : tile<i32> {
    }
    for unsigned %i in (%lb to %end, step %four) : tile<i32> {
    }
    %0 = constant <i32: 0> : tile<i32>
    %1 = subi %ub, %lb : tile<i32>
    %2 = constant <i32: 1> : tile<i32>
    %3 = subi %1, %2 : tile<i32>
    %4 = divi %3, %st unsigned : tile<i32>
    %5 = addi %4, %2 : tile<i32>
    %6 = cmpi less_than %lb, %ub, signed : tile<i32> -> tile<i1>
    %7 = constant <i32: 0> : tile<i32>
    %8 = select %6, %5, %7 : tile<i1>, tile<i32>
    %9 = constant <i32: 1> : tile<i32>
    %r = for unsigned %10 in (%0 to %8, step %9) : tile<i32> iter_values(%a = %f) -> (tile<f32>) {
      %11 = muli %10, %st : tile<i32>
      %i = addi %lb, %11 : tile<i32>
      %g = addf %a, %a : tile<f32>
      continue %g : tile<f32>
    }
    %12 = constant <i32: 0> : tile<i32>
    %13 = subi %high, %lb : tile<i32>
    %14 = constant <i32: 1> : tile<i32>
    %15 = subi %13, %14 : tile<i32>
    %16 = divi %15, %four unsigned : tile<i32>
    %17 = addi %16, %14 : tile<i32>
    %18 = cmpi less_than %lb, %high, signed : tile<i32> -> tile<i1>
    %19 = constant <i32: 0> : tile<i32>
    %20 = select %18, %17, %19 : tile<i1>, tile<i32>
    %21 = constant <i32: 1> : tile<i32>
    for unsigned %22 in (%12 to %20, step %21) : tile<i32> {
      %23 = muli %22, %four : tile<i32>
      %i = addi %lb, %23 : tile<i32>
    }
    %24 = constant <i32: 0> : tile<i32>
    %25 = constant <i32: 536870911> : tile<i32>
    %26 = constant <i32: 1> : tile<i32>
    for unsigned %27 in (%24 to %25, step %26) : tile<i32> {
      %28 = muli %27, %four : tile<i32>
      %i = addi %one, %28 : tile<i32>
    }
    return
  }
}
// EntryPlan { name: "k", grid: None, buffers: [], atomics: [] }
