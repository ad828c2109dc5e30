// test: verify
// Operations of other dialects: only what is around them is checked.

cuda_tile.module @m {
  %top = "test.late"(%later) ({
    %a = addi %later, %later : tile<i32>
  }) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  %later = "test.op"() : () -> !cuda_tile.tile<i32>
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    "test.blocks"(%n) ({
      %a = addi %b, %n : tile<i32>
      %b = addi %n, %n : tile<i32>
    ^bb1(%x: !other.type):
      %d = addi %a, %b : tile<i32>
      "test.use"(%x, %d) : (!other.type, !cuda_tile.tile<i32>) -> ()
    }, {
    }) : (!cuda_tile.tile<i32>) -> ()
    "test.use"(%after) : (!cuda_tile.tile<i32>) -> () // error[T0305]: `%after` is used before it is defined
    %after = addi %n, %n : tile<i32>
    %x = "test.make"() : () -> !other.type
    for %i in (%n to %n, step %n) : tile<i32> {
      "test.region"() ({
        if %c {
          continue // error[T0304]: `continue` inside `test.region`
        }
        continue // error[T0304]: `continue` is inside `test.region`
      }) : () -> ()
    }
    if %c {
      "test.end"() : () -> ()
    }
    "test.wrong"() ({
      %w = addi %n, %c : tile<i32> // error[T0301]: expected `rhs` of type `tile<i32>`, found `tile<i1>`
      entry @inner() { // error[T0304]: `entry` is inside `test.wrong`
      }
    }) : () -> ()
  }
}
