// test: parse
// Attributes that are wrong.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) optimization_hints=<sm_90 = {a = 1, a = 2}> { // error[T0103]: `a` is given twice
  }
  entry @l(%n: tile<i32>) {
    %a = assume even, %n : tile<i32> // error[T0103]: expected `div_by` or `same_elements` or `bounded`, found `even`
    %b = assume div_by<99999999999999999999>, %n : tile<i32> // error[T0212]: `99999999999999999999` does not fit 64 bits
    %c = assume div_by<-2>, %n : tile<i32> // error[T0212]: `-2` is no divisor
    %d = reduce %n dim=-1 identities=[0 : i32] : tile<i32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) { // error[T0212]: `-1` is no axis
    }
    %e = permute %n [0, 4294967296] : tile<i32> -> tile<i32> // error[T0212]: `4294967296` is no 32-bit number
    %f = cmpf equals ordered %n, %n : tile<i32> -> tile<i1> // error[T0103]: expected `equal` or `not_equal` or `less_than` or `less_than_or_equal` or `greater_than` or `greater_than_or_equal`, found `equals`
  }
}
