// test: parse
// `break`: with and without values, in a branch.

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    loop {
      break
    }
    %r = loop : tile<i32> {
      if %c {
        break %n : tile<i32>
      } else {
        break %n : tile<i32>
      }
    }
    %s, %t = loop : tile<i32>, tile<i1> {
      break %n, %c : tile<i32>, tile<i1>
    }
    return
  }
}
