// test: parse
// Without the option no location is printed.

#di_file = #cuda_tile.di_file<"a.py" in "/dir">
#unit = #cuda_tile.di_compile_unit<file = #di_file>
#sub = #cuda_tile.di_subprogram<file = #di_file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 2>
cuda_tile.module @m {
  entry @k(%n: tile<i32> loc("a.py":1:2), %f: tile<f32> loc(#late)) {
    %a = addi %n, %n : tile<i32> loc(unknown)
    %b = addi %n, %n : tile<i32> loc("a.py":3:4)
    %c = addi %n, %n : tile<i32> loc(callsite("in"("a.py":5:6) at "a.py":7:8))
    %d = addi %n, %n : tile<i32> loc(fused<{x = 1}>["a.py":3:4, unknown, fused[]])
    %e = addi %n, %n {foo} : tile<i32> loc("name only")
    %g = addi %n, %n : tile<i32> loc(#late)
    %h = addi %n, %n : tile<i32> loc(#scoped)
    %i = addi %n, %n : tile<i32> loc(#cuda_tile.di_loc<"a.py":9:1 in #cuda_tile.di_lexical_block<scope = #sub, file = #di_file, line = 8, column = 2>>)
    %j = addi %n, %n : tile<i32>
    %l = addi %n, %n : tile<i32> loc("a.py":3:4 to 5:6)
    for %iv in (%n to %n, step %n) : tile<i32> {
      continue loc("a.py":10:1)
    } loc("a.py":10:2)
    return loc(#late)
  } loc(#cuda_tile.di_loc<loc("a.py":1:1) in #sub>)
} loc("a.py":0:0)
#late = loc("late.py":1:1)
#scoped = #cuda_tile.di_loc<#late in #sub>
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %f: tile<f32>) {
    %a = addi %n, %n : tile<i32>
    %b = addi %n, %n : tile<i32>
    %c = addi %n, %n : tile<i32>
    %d = addi %n, %n : tile<i32>
    %e = addi %n, %n {foo} : tile<i32>
    %g = addi %n, %n : tile<i32>
    %h = addi %n, %n : tile<i32>
    %i = addi %n, %n : tile<i32>
    %j = addi %n, %n : tile<i32>
    %l = addi %n, %n : tile<i32>
    for %iv in (%n to %n, step %n) : tile<i32> {
    }
    return
  }
}
