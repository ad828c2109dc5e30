// test: opt --passes=cse
// Operands the other way round, another promise, another attribute of others, another
// type, loads, assumptions, a region that does not dominate.

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %b: tile<i32>, %c: tile<i1>, %p: tile<ptr<i32>>) {
    %s0 = subi %a, %b : tile<i32>
    %s1 = subi %b, %a : tile<i32>
    %s2 = subi %a, %b overflow<no_signed_wrap> : tile<i32>
    %e0 = exti %a signed : tile<i32> -> tile<i64>
    %e1 = exti %a unsigned : tile<i32> -> tile<i64>
    %l0, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %l1, %t1 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %a0 = assume div_by<2>, %a : tile<i32>
    %a1 = assume div_by<2>, %a : tile<i32>
    if %c {
      %x0 = xori %a, %b : tile<i32>
      print_tko "%d", %x0 : tile<i32> -> token
    } else {
      %x1 = xori %a, %b : tile<i32>
      print_tko "%d", %x1 : tile<i32> -> token
    }
    %x2 = xori %a, %b : tile<i32>
    print_tko "%d %d %d %d %d %d %d %d %d %d", %s0, %s1, %s2, %e0, %e1, %l0, %l1, %a0, %a1, %x2 : tile<i32>, tile<i32>, tile<i32>, tile<i64>, tile<i64>, tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %b: tile<i32>, %c: tile<i1>, %p: tile<ptr<i32>>) {
    %s0 = subi %a, %b : tile<i32>
    %s1 = subi %b, %a : tile<i32>
    %s2 = subi %a, %b overflow<no_signed_wrap> : tile<i32>
    %e0 = exti %a signed : tile<i32> -> tile<i64>
    %e1 = exti %a unsigned : tile<i32> -> tile<i64>
    %l0, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %l1, %t1 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %a0 = assume div_by<2>, %a : tile<i32>
    %a1 = assume div_by<2>, %a : tile<i32>
    if %c {
      %x0 = xori %a, %b : tile<i32>
      %0 = print_tko "%d", %x0 : tile<i32> -> token
    } else {
      %x1 = xori %a, %b : tile<i32>
      %1 = print_tko "%d", %x1 : tile<i32> -> token
    }
    %x2 = xori %a, %b : tile<i32>
    %2 = print_tko "%d %d %d %d %d %d %d %d %d %d", %s0, %s1, %s2, %e0, %e1, %l0, %l1, %a0, %a1, %x2 : tile<i32>, tile<i32>, tile<i32>, tile<i64>, tile<i64>, tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
    return
  }
}
// rewrites:
