// test: verify
// Scopes of locations: a function is in its subprogram, and what is in it too.

#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#good = #cuda_tile.di_subprogram<file = #file, line = 1, name = "good", linkageName = "good", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #good, file = #file, line = 2>
#inner = #cuda_tile.di_lexical_block<scope = #block, file = #file, line = 3, column = 4>
#other = #cuda_tile.di_subprogram<file = #file, line = 9, name = "other", linkageName = "other", compileUnit = #unit>
#in_other = #cuda_tile.di_lexical_block<scope = #other, file = #file, line = 10>
cuda_tile.module @m {
  entry @good(%c: tile<i1>) {
    %a = iota : tile<4xi32> loc(#cuda_tile.di_loc<"k.py":2:1 in #good>)
    %b = iota : tile<4xi32> loc(#cuda_tile.di_loc<"k.py":2:1 in #inner>)
    %d = iota : tile<4xi32> loc("k.py":2:1)
    %e = iota : tile<4xi32> loc(callsite(#cuda_tile.di_loc<"k.py":2:1 in #other> at #cuda_tile.di_loc<"k.py":2:1 in #block>))
    %f = iota : tile<4xi32> loc(#cuda_tile.di_loc<"k.py":2:1 in #other>) // error[T0302]: expected a scope in the subprogram of `good`, found `other`
    if %c {
      %g = iota : tile<4xi32> loc(#cuda_tile.di_loc<"k.py":2:1 in #in_other>) // error[T0302]: expected a scope in the subprogram of `good`, found `other`
      %h = iota : tile<4xi32> loc(callsite(#cuda_tile.di_loc<"k.py":2:1 in #good> at #cuda_tile.di_loc<"k.py":2:1 in #other>)) // error[T0302]: expected a scope in the subprogram of `good`, found `other`
      %i = iota : tile<4xi32> loc("x"(#cuda_tile.di_loc<"k.py":2:1 in #other>)) // error[T0302]: expected a scope in the subprogram of `good`, found `other`
      %j = iota : tile<4xi32> loc(fused["k.py":2:1, #cuda_tile.di_loc<"k.py":2:1 in #other>]) // error[T0302]: expected a scope in the subprogram of `good`, found `other`
      %k = iota : tile<4xi32> loc(fused["k.py":2:1, #cuda_tile.di_loc<"k.py":2:1 in #good>, #cuda_tile.di_loc<"k.py":2:1 in #other>])
    }
    return
  } loc(#cuda_tile.di_loc<"k.py":1:1 in #good>)
  entry @renamed() { // error[T0302]: expected the linkage name `renamed`, found `good`
  } loc(#cuda_tile.di_loc<"k.py":1:1 in #good>)
  entry @in_a_block() { // error[T0302]: expected the scope of `in_a_block` to be a subprogram, found a lexical block
  } loc(#cuda_tile.di_loc<"k.py":1:1 in #block>)
  entry @called() { // error[T0302]: the location of `called` is a call site
  } loc(callsite("k.py":1:1 at "k.py":1:1))
  entry @without() {
    %a = iota : tile<4xi32> loc(#cuda_tile.di_loc<"k.py":2:1 in #good>) // error[T0302]: the location of `iota` has a scope, that of `without` has none
    %b = iota : tile<4xi32> loc(#cuda_tile.di_loc<"k.py":2:1 in #good>)
    return
  } loc("k.py":1:1)
  testing$func @other() {
    %a = iota : tile<4xi32> loc(#cuda_tile.di_loc<"k.py":2:1 in #good>) // error[T0302]: expected a scope in the subprogram of `other`, found `good`
    return
  } loc(#cuda_tile.di_loc<"k.py":1:1 in #other>)
  global @g <i32: 1> : tile<1xi32> loc(#cuda_tile.di_loc<"k.py":2:1 in #good>) // error[T0302]: the location of `global` has a scope
  global @h <i32: 1> : tile<1xi32> loc("k.py":2:1)
}
