// test: parse
// Faults of the generic form.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %a = "cuda_tile.addi"(%n, %n) <{nosuch = 1 : i32}> : (tile<i32>, tile<i32>) -> tile<i32> // error[T0103]: `addi` has no property `nosuch`
    %b = "cuda_tile.addi"(%n) : (tile<i32>) -> tile<i32> // error[T0301]: expected 2 operands, found 1
    %c = "cuda_tile.addi"(%n, %n) : (tile<i32>) -> tile<i32> // error[T0103]: expected 2 types of operands, found 1
    %d = "cuda_tile.addi"(%n, %n) : (tile<i32>, tile<i64>) -> tile<i32> // error[T0202]: expected `tile<i32>`, found `tile<i64>`
    %e = "cuda_tile.nosuch"(%n) : (tile<i32>) -> tile<i32> // error[T0103]: unknown operation `cuda_tile.nosuch`
    %f = "other.op"(%n) : (tile<i32>) -> tile<i32> // error[T0103]: operation `other.op` of an unknown dialect
    %g = "cuda_tile.addi"(%n, %n)[^bb0] : (tile<i32>, tile<i32>) -> tile<i32> // error[T0103]: an operation with successors
    %h = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<2xi32>}> : () -> tile<i32> // error[T0202]: expected `tile<i32>`, found `tile<2xi32>`
    %i = "cuda_tile.constant"() <{value = dense<"0x01"> : !cuda_tile.tile<2xi32>}> : () -> tile<2xi32> // error[T0103]: expected `0x` and 8 hexadecimal digits per number of `i32`
    %j = "cuda_tile.constant"() <{value = dense<[1, 2]> : !cuda_tile.tile<4xi32>}> : () -> tile<4xi32> // error[T0203]: expected a literal of shape (4), found (2)
    %k = "cuda_tile.constant"() <{value = dense<[1, 2> : !cuda_tile.tile<4xi32>}> : () -> tile<4xi32> // error[T0103]: expected `]`, found `>`
    %l = "cuda_tile.join_tokens"() <{operandSegmentSizes = array<i32: 1>}> : () -> token // error[T0103]: `join_tokens` has no property `operandSegmentSizes`
    %t = "cuda_tile.load_view_tko"(%n, %n, %n) <{memory_ordering_semantics = 9 : i32}> : (tile<i32>, tile<i32>, tile<i32>) -> (tile<i32>, token) // error[T0212]: `9` is the number of no memory ordering
    %u:2 = "cuda_tile.load_view_tko"(%n, %n, %n) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 3, -2>}> : (tile<i32>, tile<i32>, tile<i32>) -> (tile<i32>, token) // error[T0301]: expected operands in 3 groups, found 3 in groups of [1, 3, -2]
    %v:2 = "cuda_tile.load_view_tko"(%n, %n, %n) <{memory_ordering_semantics = 0 : i32}> : (tile<i32>, tile<i32>, tile<i32>) -> (tile<i32>, token) // error[T0103]: `load_view_tko` lacks `operandSegmentSizes`
    "cuda_tile.if"(%n) ({
    ^bb0:
      %x = "cuda_tile.addi"(%n
      %y = addi %n, %n : tile<i32> // error[T0103]: expected `)`, found `%y`
    ^bb0: // error[T0103]: block `^bb0` is defined twice
      %z = addi %n, %n : tile<i32>
    }) : (tile<i32>) -> ()
    addi
    %w = addi %n, %n : tile<i32> // error[T0103]: expected `,`, found `=`
  }
}
