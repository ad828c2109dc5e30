// test: parse --print-debuginfo --print-generic
// Locations in every spelling, aliases below their use.

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
#loc2 = loc("a.py":1:2)
#loc3 = loc("late.py":1:1)
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> (), sym_name = "k"}> ({
  ^bb0(%n: !cuda_tile.tile<i32> loc(#loc2), %f: !cuda_tile.tile<f32> loc(#loc3)):
    %a = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc4)
    %b = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc5)
    %c = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc15)
    %d = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc14)
    %e = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> {foo} : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc9)
    %g = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc3)
    %h = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc17)
    %i = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc18)
    %j = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    %l = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32> loc(#loc5)
    "cuda_tile.for"(%n, %n, %n) ({
    ^bb0(%iv: !cuda_tile.tile<i32>):
      "cuda_tile.continue"() : () -> () loc(#loc12)
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> () loc(#loc11)
    "cuda_tile.return"() : () -> () loc(#loc3)
  }) : () -> () loc(#loc16)
}) : () -> () loc(#loc)
#di_file = #cuda_tile.di_file<"a.py" in "/dir">
#loc = loc("a.py":0:0)
#loc1 = loc("a.py":1:1)
#loc4 = loc(unknown)
#loc5 = loc("a.py":3:4)
#loc6 = loc("a.py":5:6)
#loc7 = loc("a.py":7:8)
#loc8 = loc(fused[])
#loc9 = loc("name only")
#loc10 = loc("a.py":9:1)
#loc11 = loc("a.py":10:2)
#loc12 = loc("a.py":10:1)
#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
#loc13 = loc("in"(#loc6))
#loc14 = loc(fused<{x = 1}>[#loc5, #loc4, #loc8])
#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 1, name = "k", linkageName = "k", compileUnit = #di_compile_unit, scopeLine = 2>
#loc15 = loc(callsite(#loc13 at #loc7))
#di_lexical_block = #cuda_tile.di_lexical_block<scope = #di_subprogram, file = #di_file, line = 8, column = 2>
#loc16 = #cuda_tile.di_loc<#loc1 in #di_subprogram>
#loc17 = #cuda_tile.di_loc<#loc3 in #di_subprogram>
#loc18 = #cuda_tile.di_loc<#loc10 in #di_lexical_block>
